"""What goes through `dir(x)` gets None for attributes that a Cell lists and has not got."""

import pytest

from mindport.rewrite.attributes_listed import with_none_for_lacking

WRITTEN = {
    "list": (
        "m = [one for one in dir(net) if not callable(getattr(net, one)) and 'loss' in one]",
        "m = [one for one in dir(net) if not callable(getattr(net, one, None)) and 'loss' in one]",
    ),
    "values": (
        "m = {getattr(self.net, k) for k in dir(self.net)}",
        "m = {getattr(self.net, k, None) for k in dir(self.net)}",
    ),
    "loop": (
        "for 名 in dir(net):\n    if '🙂' in 名:\n        f(getattr(net, 名))",
        "for 名 in dir(net):\n    if '🙂' in 名:\n        f(getattr(net, 名, None))",
    ),
}
KEPT = {
    "a default": "m = [one for one in dir(net) if getattr(net, one, 0)]",
    "another object": "m = [one for one in dir(net) if getattr(other, one)]",
    "another name": "m = [one for one in dir(net) if getattr(net, name)]",
    "names of its own": "m = [getattr(net, one) for one in ('a', 'b')]",
    "attributes it has": "for one in vars(net):\n    getattr(net, one)",
    "everything here": "for one in dir():\n    getattr(net, one)",
    "after the loop": "for one in dir(net):\n    pass\ngetattr(net, one)",
    "broken": "for one in dir(net):\n    getattr(net, one",
}


@pytest.mark.parametrize(("before", "after"), WRITTEN.values(), ids=list(WRITTEN))
def test_none_is_given(before, after):
    assert with_none_for_lacking(before) == after
    assert with_none_for_lacking(after) == after


@pytest.mark.parametrize("text", KEPT.values(), ids=list(KEPT))
def test_others_stay(text):
    assert with_none_for_lacking(text) == text
