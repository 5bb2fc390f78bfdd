"""The inventory: every reference has a row, and each row says why it carries no fix."""

from mindport.checking.inventory import inventory_paths

TEXT = """\
import torch
import timm
def f(name):
    a = torch.no_such_name
    b = getattr(torch.optim, name)
    return timm.create_model(name), a, b
"""


def test_every_reference_has_a_row_with_a_reason(folder, settings, target):
    names = folder({"a.py": TEXT, "bad.py": b"\xff", "half.py": "import torch\ndef f(:\n"})
    good, bad, half = inventory_paths(names, settings, target)
    rows = [(row.use.api, row.use.form.value) for row in good.references]
    assert ("torch", "import") in rows and ("torch.no_such_name", "value") in rows
    assert ("timm.create_model", "call") in rows
    assert any(form == "dynamic" for _, form in rows)
    assert all(row.fix is not None or row.reason for row in good.references)
    assert good.problem is None
    assert bad.problem is not None and bad.references == ()
    assert half.problem is not None
