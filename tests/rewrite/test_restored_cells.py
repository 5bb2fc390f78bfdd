"""What a cell is restored from is taken apart where its class changes it, and handed on whole."""

from __future__ import annotations

import pytest

from mindport.rewrite.restored_cells import with_restored_cells

START = "class Layer(nn.Cell):\n    def construct(self, x):\n        return x\n\n"
SETTING = (
    "    def __setstate__(self, {name}):\n{first}        if 'activation' not in {name}:\n"
    "            {name}['activation'] = ops.relu\n        {base}.__setstate__({given})\n"
)


@pytest.mark.parametrize("name", ["state", "层"])
@pytest.mark.parametrize("base", ["super()", "super(Layer, self)"])
def test_the_pair_is_taken_apart(name: str, base: str) -> None:
    before = START + SETTING.format(name=name, base=base, first="", given=name)
    first = f"        cell_state, {name} = {name}\n"
    after = START + SETTING.format(name=name, base=base, first=first, given=f"(cell_state, {name})")
    assert with_restored_cells(before) == after
    assert with_restored_cells(after) == after


@pytest.mark.parametrize(
    "text",
    [
        # no cell
        SETTING.format(name="state", base="super()", first="", given="state").replace(
            "    def", "class A:\n    def", 1
        ),
        # only handed on, or not at all
        START + "    def __setstate__(self, state):\n        super().__setstate__(state)\n",
        START
        + "    def __setstate__(self, state):\n        state['a'] = 1\n        self.__dict__.update(state)\n",
        START + "    def __setstate__(self, state): super().__setstate__(state)\n",
        START
        + "    def __setstate__(self, state, more):\n        more()\n        super().__setstate__(state)\n",
        START
        + "    def __setstate__(self, state):\n        a = 1\n        super().__setstate__((a, state))\n",
    ],
)
def test_other_classes_stay(text: str) -> None:
    assert with_restored_cells(text) == text
