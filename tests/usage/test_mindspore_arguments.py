"""What is read of the arguments of MindSpore's calls: keywords, and what stands in a dict under them."""

import ast

import pytest

from mindport.model.span import Span
from mindport.usage.mindspore_uses import MindSporeUse, _arguments


@pytest.mark.parametrize(
    ("call", "path", "value"),
    [
        ('f(level="O1")', "level", "O1"),
        ('f(config={"level": "O2", "boost": "on"})', "config.level", "O2"),
        ('f(config={"inner": {"level": 3}})', "config.inner.level", 3),
        ('f(config={"level": "O2"})', "level", None),
        ("f(config=config)", "config.level", None),
        ("f(config={**known})", "config.level", None),
        ('f(config={key: "O2"})', "config.level", None),
        ('f(config={"level": chosen})', "config.level", None),
        ('f("O1")', "level", None),
        ('f(**{"level": "O1"})', "level", None),
    ],
)
def test_what_a_keyword_passes(call, path, value):
    use = MindSporeUse("mindspore.f", Span(1, 0, 1, 1), _arguments(ast.parse(call).body[0].value))
    found = use.keyword(path)
    assert (found.value if found is not None else None) == value
