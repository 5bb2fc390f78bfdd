"""Words that were names before they became keywords of Python: a text that has them as names does not parse."""

from __future__ import annotations

import re

# The name of an argument in torch 0.3, and a keyword since Python 3.7.
ASYNC_ARGUMENT = re.compile(r"\basync\s*=(?!=)")
