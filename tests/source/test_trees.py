"""What is below a node, and which answers are given out again."""

import ast

import pytest

from mindport.source.syntax import parse_tree, shared_trees
from mindport.source.trees import children, every_node

TEXTS = [
    "",
    "x: int = 1\nglobal_ = {**a, 'b': 1}\ndel x[0], y.z",
    "from a import b as c\nimport d as e, f",
    "@g\ndef f(a, /, b=1, *c, d, e=2, **h) -> int:\n    global i\n    nonlocal_ = lambda *, k, l=1: k\n    return i",
    "async def f():\n    async with a as b:\n        await c\n    async for d in e:\n        yield\n",
    "class A(B, metaclass=C):\n    '文'\n    x = [i async for i in j if k]\n",
    "try:\n    raise A from b\nexcept (C, D) as e:\n    pass\nelse:\n    assert f, 'g'\nfinally:\n    x |= ~y\n",
    "f'{a!r:>{width}} {b=}'\nx[1:2, ..., None]\n-a if b and not c else (d := e <= f is not g)\n",
    "match a:\n    case {'b': c, **d} | [e, *f] | G(h, i=j) | None as k if l: pass\n    case _: pass\n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_nodes_are_those_of_ast(text: str) -> None:
    tree = ast.parse(text)
    walked = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
    assert list(every_node(tree)) == walked
    for node in walked:
        below = [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr_context)]
        assert children(node) == below


def test_nodes_of_a_shared_tree_are_kept() -> None:
    with shared_trees():
        tree = parse_tree("a + b")
        assert every_node(tree) is every_node(parse_tree("a + b"))


def test_no_more_are_kept_than_trees() -> None:
    with shared_trees():
        first = parse_tree("a")
        nodes = every_node(first)
        for text in "bcde":
            every_node(parse_tree(text))
        assert every_node(first) is not nodes
        assert every_node(first) == nodes


@pytest.mark.parametrize("is_shared", [False, True])
def test_what_others_parsed_may_change(is_shared: bool) -> None:
    """A tree of the caller's own is looked at anew each time."""
    tree = ast.parse("a")
    before = list(every_node(tree))
    tree.body += ast.parse("b").body
    assert len(every_node(tree)) > len(before)
    if is_shared:
        with shared_trees():
            before = list(every_node(tree))
            tree.body += ast.parse("c").body
            assert len(every_node(tree)) > len(before)


def test_nothing_is_kept_behind_its_use() -> None:
    with shared_trees():
        tree = parse_tree("a")
        nodes = every_node(tree)
    assert every_node(tree) is not nodes
