"""A rule or the judgement of a use failed inside mindport.

What it does
------------
Reports that a part of mindport raised an error on this use. Everything else in the file is reported as usual.

Why it matters
--------------
This one use is not judged. It is a defect of mindport, never of the code.

Example
-------
None: no code causes it by design.

Use instead
-----------
Please report it with the message.

References
----------
docs/usage.md.
"""

from mindport.model.finding import Severity
from mindport.rules.rule import Rule

RULE = Rule(code="MP903", name="internal-error", severity=Severity.WARNING, page=__doc__)
