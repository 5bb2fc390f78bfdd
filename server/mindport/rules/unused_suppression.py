"""A suppression comment that suppresses nothing.

What it does
------------
Reports `# mindport: ignore` comments, or single codes in them, that no finding answers to, and codes that
do not exist.

Why it matters
--------------
A comment that outlived its finding hides the next one.

Example
-------
    x = 1  # mindport: ignore[MP101]

Use instead
-----------
    x = 1

References
----------
docs/usage.md.
"""

from mindport.model.finding import Severity
from mindport.rules.rule import Rule

RULE = Rule(code="MP904", name="unused-suppression", severity=Severity.WARNING, page=__doc__)
