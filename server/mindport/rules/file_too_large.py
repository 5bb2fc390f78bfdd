"""The file is larger than the limit and was not analysed.

What it does
------------
Reports files over `max-file-size` (5 MB unless set).

Why it matters
--------------
Its torch uses are missing from the report. Files of that size are nearly always generated data.

Example
-------
A generated table of ten megabytes.

Use instead
-----------
Raise `max-file-size`, or add the file to `exclude`.

References
----------
docs/usage.md.
"""

from mindport.model.finding import Severity
from mindport.rules.rule import Rule

RULE = Rule(code="MP905", name="file-too-large", severity=Severity.WARNING, page=__doc__)
