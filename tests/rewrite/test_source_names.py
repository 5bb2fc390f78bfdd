"""Names in what a mapping writes are told from the text around them."""

import pytest

from mindport.rewrite.pieces import HelperName, ImportedName
from mindport.rewrite.source_names import name_pieces


@pytest.mark.parametrize(
    ("text", "helpers", "imported"),
    [
        ("torch_size(x)[0]", ["torch_size"], []),
        ("TorchSafeGlobals.allowed.extend(['名 🙂'])", ["TorchSafeGlobals"], []),
        ("list(TorchSafeGlobals.allowed)", ["TorchSafeGlobals"], []),
        ("ops.relu(TorchSafeGlobals)", ["TorchSafeGlobals"], ["mindspore.ops.relu"]),
        ("x.TorchSafeGlobals(y, TorchSafeGlobals=1)", [], []),
        ("'TorchSafeGlobals.allowed'", [], []),
        ("TorchUnknownName.allowed", [], []),
    ],
)
def test_helpers_are_named_with_what_is_asked_of_them(text, helpers, imported):
    pieces = name_pieces(text)
    assert [one.local for one in pieces if isinstance(one, HelperName)] == helpers
    assert [one.dotted for one in pieces if isinstance(one, ImportedName)] == imported
    assert "".join(one if isinstance(one, str) else one.local for one in pieces) == text
