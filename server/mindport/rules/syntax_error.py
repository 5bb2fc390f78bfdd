"""A part of the file cannot be parsed.

What it does
------------
Reports the place where Python's parser gives up. The rest of the file is analysed as far as possible.

Why it matters
--------------
What stands in the broken part is not seen, so its torch uses are missing from the report.

Example
-------
    def f(:

Use instead
-----------
    def f():

References
----------
docs/usage.md.
"""

from mindport.model.finding import Severity
from mindport.rules.rule import Rule

RULE = Rule(code="MP901", name="syntax-error", severity=Severity.ERROR, page=__doc__)
