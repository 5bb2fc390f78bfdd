"""The file cannot be read whole.

What it does
------------
Reports files that cannot be opened, or whose bytes are not what their encoding says: invalid UTF-8, an
unknown coding line, null bytes. Nothing is changed in such a file.

Why it matters
--------------
The file is missing from the report.

Example
-------
    # coding: no-such-encoding

Use instead
-----------
    # coding: utf-8

References
----------
docs/usage.md.
"""

from mindport.model.finding import Severity
from mindport.rules.rule import Rule

RULE = Rule(code="MP902", name="unreadable-file", severity=Severity.ERROR, page=__doc__)
