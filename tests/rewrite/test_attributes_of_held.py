"""A cell that gives the attributes of what it holds does not look for that in itself."""

import ast

import pytest

from mindport.rewrite.attributes_of_held import attributes_of_held
from mindport.source.lines import LineIndex

HELD = """class Wrapper(nn.Module):
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
{handled}
"""


def guarded(text: str) -> str:
    lines = LineIndex(text)
    (network,) = ast.parse(text).body
    assert isinstance(network, ast.ClassDef)
    for one in attributes_of_held(network, lines):
        at = lines.offset(one.span.start)
        text = text[:at] + str(one.pieces[0]) + text[at:]
    return text


@pytest.mark.parametrize(
    "statement", ["return getattr(self.module, name)", "return self.module.__getattribute__(name)  # 内部 🙂"]
)
def test_what_is_held_is_not_looked_for_in_itself(statement: str) -> None:
    text = HELD.format(handled=f"            {statement}")
    guard = '            if name == "module":\n                raise\n'
    assert guarded(text) == HELD.format(handled=f"{guard}            {statement}")
    assert guarded(guarded(text)) == guarded(text)


@pytest.mark.parametrize(
    "text",
    [
        HELD.format(handled="            return None"),
        HELD.format(handled="            raise"),
        "class Wrapper(nn.Module):\n    def __getattr__(self, name):\n        return self.kept[name]\n",
        HELD.format(
            handled='            if name != "module":\n                return getattr(self.module, name)'
        ),
        HELD.format(handled="            return getattr(self.module, name)").replace(
            "__getattr__(self", "find(self"
        ),
    ],
)
def test_other_classes_stay(text: str) -> None:
    assert guarded(text) == text
