"""Units of a text, and that following edits gives what a fresh parse gives."""

from __future__ import annotations

import ast
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.source.module import ParsedModule, parse_module
from mindport.source.units import UnitKind

TEXT = '''"""A module."""
import torch

# comment
x = 1; y = 2

@decorated
def f(a,
      b):
    """Text
that is not indented
"""
    return a

class Net(Base):
    size = 3

    @property
    def shape(self):
        return self.size

    def forward(self, x):
        if x:
            return x
        return """
open
"""

if x:
    y = 3
else:
    y = 4
'''


def trees(module: ParsedModule) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for unit in module.units:
        if unit.kind is UnitKind.CLASS:
            node = unit.statements[0]
            assert isinstance(node, ast.ClassDef)
            parts = [ast.dump(part) for part in (*node.bases, *node.decorator_list)]
            last_line = node.lineno  # behind it come the members, which are units of their own
        else:
            parts = [ast.dump(statement) for statement in unit.statements]
            last_line = unit.statements[-1].end_lineno or 0
        found.append((unit.kind, unit.owner, unit.first_line, last_line + unit.shift, parts))
    return found


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def test_units() -> None:
    module = parse_module(TEXT)
    assert module.problems == ()
    assert [(unit.kind.value, unit.owner, unit.first_line) for unit in module.units] == [
        ("statement", "", 1),
        ("statement", "", 2),
        ("statement", "", 5),
        ("statement", "", 5),
        ("statement", "", 7),
        ("class", "Net", 15),
        ("member", "Net", 16),
        ("member", "Net", 18),
        ("member", "Net", 22),
        ("statement", "", 29),
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    assert trees(parse_module(TEXT.replace("\n", newline)))[4][2] == 7


PIECES = (
    "",
    "x",
    " ",
    "\n",
    "    ",
    "(",
    ")",
    '"',
    '"""',
    "\n\n",
    "else:\n",
    "def g():\n    pass\n",
    "@a\n",
    ":",
    "\\",
    "class A:\n",
)


@given(st.integers(0, 10**9))
@settings(max_examples=60)
def test_edits_equal_a_fresh_parse(seed: int) -> None:
    rng = random.Random(seed)
    text, module = TEXT, parse_module(TEXT)
    for _ in range(6):
        start = rng.randrange(len(text) + 1)
        changed = text[:start] + rng.choice(PIECES) + text[min(len(text), start + rng.choice((0, 0, 1, 4))) :]
        after = module.update(changed)
        if parses(changed):
            assert trees(after) == trees(parse_module(changed))
            assert after.problems == ()
        else:
            assert after.problems
        if rng.random() < 0.5:
            text, module = changed, after
    assert trees(module.update(TEXT)) == trees(parse_module(TEXT))


def test_a_backslash_at_the_end_is_no_less_a_problem_after_an_edit() -> None:
    text = "import torch\n\nif x:\n    y = 3  # 中文 😀\nelse:\n    y = 4\n"
    after = parse_module(text).update(text.removesuffix("\n") + "\\\n")
    assert after.problems
    assert after.update(text).problems == ()


def test_unchanged_units_are_the_same_objects() -> None:
    before = parse_module(TEXT)
    after = before.update(TEXT.replace("return self.size", "return self.size + 1\n"))
    same = {id(unit.statements) for unit in before.units} & {id(unit.statements) for unit in after.units}
    assert len(same) == len(before.units) - 1


def test_broken_method_leaves_the_rest() -> None:
    before = parse_module(TEXT)
    broken = before.update(TEXT.replace("return self.size", "return self.size("))
    assert len(broken.problems) == 1
    assert broken.problems[0].span.line == 20
    assert [unit.first_line for unit in broken.units] == [unit.first_line for unit in before.units]
    again = broken.update(TEXT.replace("return self.size", "return self.size("))
    assert again.problems == broken.problems
    assert trees(broken.update(TEXT)) == trees(before)


def test_string_opened_in_one_unit_and_closed_in_another() -> None:
    text = "a = 1\nb = 2\nc = 3\n"
    opened = parse_module(text).update('a = """1\nb = 2\nc = 3\n')
    assert opened.problems
    closed = opened.update('a = """1\nb = 2\nc = """ + 3\n')
    assert closed.problems == ()
    assert trees(closed) == trees(parse_module('a = """1\nb = 2\nc = """ + 3\n'))


BROKEN = {
    "function": ("import torch\ndef f(x):\n    return x.view(\n\ny = 1\n", [1, 5]),
    "method": ("class A:\n    def f(self)\n        pass\n    def g(self): pass\n", [1, 2, 4]),
    "decorated class": ("@d\nclass A:\n    def f(self) pass\n    x = 1\ny = 2\n", [1, 3, 4, 5]),
    "string": ('a = 1\nb = """\nc = 3\n', [1, 3]),
}


@pytest.mark.parametrize(("text", "lines"), BROKEN.values(), ids=BROKEN.keys())
def test_text_that_was_never_whole(text: str, lines: list[int]) -> None:
    module = parse_module(text)
    assert module.problems
    assert [unit.first_line for unit in module.units] == lines


@pytest.mark.parametrize("text", ["(", "\x00", "\\", "\t\n  x", "class A:", "é = (", '"""', "x\n  y"])
def test_rubbish_is_a_problem_with_a_place(text: str) -> None:
    (problem,) = parse_module(text).problems
    assert 1 <= problem.span.line <= text.count("\n") + 1


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "\f\n"])
def test_nothing_is_no_problem(text: str) -> None:
    assert parse_module(text).problems == ()
    assert parse_module(text).update("x = 1\n").units[0].first_line == 1


BEHIND_OTHERS = [
    "class A:\npass\n",
    "def f():\n    x = 1\n   y = 2\n",
    "x = (1,\n     2]\n",
    "if x:\ny = 1\n",
    "for i in x:\n    (1}\n",
    "class A:\n    def f(self):\n        return (1]\n\n    def g(self):\n        return 2\n",
    "x = 'abc\n",
]


@pytest.mark.parametrize("broken", BEHIND_OTHERS)
@pytest.mark.parametrize("above", ["", "import a\n", "import a\n\n\ndef h(x):\n    return x\n\n\n"])
def test_lines_in_messages_are_those_of_the_file(broken: str, above: str) -> None:
    """As Python itself counts them in the text as a whole, also after the lines above have changed."""
    text = above + broken
    with pytest.raises(SyntaxError) as error:
        ast.parse(text)
    first = parse_module(text).problems[0]
    numbers = re.findall(r"line (\d+)", str(error.value.msg))
    assert re.findall(r"line (\d+)", first.message) == numbers
    edited = parse_module(text).update("y = 1\n" + text)
    shifted = [str(int(one) + 1) for one in numbers]
    assert re.findall(r"line (\d+)", edited.problems[0].message) == shifted
