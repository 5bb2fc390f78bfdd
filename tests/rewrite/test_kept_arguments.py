"""Which arguments of `__init__` a module keeps."""

from __future__ import annotations

import ast

import pytest

from mindport.rewrite.kept_arguments import kept_arguments


@pytest.mark.parametrize(
    ("parameters", "body", "kept"),
    [
        ("self, a, b", "self.a = a", "a"),
        ("self, a, b", "self.b: object = b; self.a = a  # 保留 🙂", "a b"),
        ("self, a, b=None", "self.a = a if b else None", "a"),
        ("self, a, b=None", "self.a = b or a", "a b"),
        ("self, a, b=2.0, *, c='x', d=None", "self.a, self.b = a, b; self.c = c; self.d = d", "a d"),
        ("self, a, b", "self.nets = nn.ModuleList([a, nn.ReLU(), b])", "a b"),
        ("self, a", "self.nets = nn.ModuleDict({'a': a})", "a"),
        ("self, a", "self.nets['a'] = a", "a"),
        ("self, a", "self.add_module('a', a)", "a"),
        ("self, a", "self.nets.append(a)", "a"),
        ("self, a, *b", "self.nets = nn.Sequential(a, *b)", "a b"),
        ("self, *a, **b", "for one in a:\n        self.add_module(str(one), one)", "a"),
        ("self, a, b", "super().__init__(a, 1)", "a"),
        ("self, a, b", "super(Net, self).__init__(b=b)", "b"),
        ("self, a, b", "Base.__init__(self, a)", "a"),
        ("self, a, b", "self.a = a.width; self.b = nn.Linear(b, b)", ""),
        ("self, a, b", "a = self.a; b(a)", ""),
        ("self, a", "self.a = f(a)", ""),
        ("self, a", "self.a = 'a'", ""),
        ("self, a", "self.part.__init__(a)", ""),
    ],
)
def test_kept(parameters: str, body: str, kept: str) -> None:
    method = ast.parse(f"def __init__({parameters}):\n    {body}\n").body[0]
    assert isinstance(method, ast.FunctionDef)
    assert kept_arguments(method) == tuple(kept.split())
