"""The fields of f-strings are found where they stand, in every version of Python."""

import ast

import pytest

from mindport.source.format_fields import format_fields

FIELDS = {
    "one": ("f'{x}'", ["x"]),
    "the same twice": ("f'{x} {x:.2f}'", ["x", "x"]),
    "formats": ("f'a {x:.3f} {y!r:>8} {z + 1:{width}.{n}f}'", ["x", "y", "z + 1"]),
    "braces": ("f'{{no}} {x} }}{{ {y}'", ["x", "y"]),
    "strings inside": ("""f'{d["a}:"]:.2f} {f("b", "{c}")}'""", ['d["a}:"]', 'f("b", "{c}")']),
    "brackets": ("f'{x[1:2]} {({1: 2})[1]} {(lambda: 3)()}'", ["x[1:2]", "({1: 2})[1]", "(lambda: 3)()"]),
    "comparisons": ("f'{a != b} {a!s} {a == b}'", ["a != b", "a", "a == b"]),
    "beside others": ("'a {no}' f'{x}'  # {comment}\n  \"{no}\" f\"{y}\"", ["x", "y"]),
    "lines": ('f"""a\n{x\n}\n {y:.2f}"""', ["x\n", "y"]),
    "raw": ("rf'\\d{x} \\{y}'", ["x", "y"]),
    "a character's name": ("f'\\N{BULLET} {x}'", ["x"]),
    "escapes": ("f'it\\'s {x}\\n{y}'", ["x", "y"]),
    "a debugging sign": ("f'{x=} {y = :.2f}'", ["x=", "y = "]),
    "a name that ends like a prefix": ("f'{leaf} {rf(\"a\")}'", ["leaf", 'rf("a")']),
    "no field": ("f'abc'", []),
    "letters of others": ("f'é🙂{x} 中{y}'", ["x", "y"]),
}


@pytest.mark.parametrize(("text", "expected"), FIELDS.values(), ids=list(FIELDS))
def test_fields(text, expected):
    node = ast.parse(f"({text}\n)").body[0].value
    wanted = [one.value for one in node.values if isinstance(one, ast.FormattedValue)] if expected else []
    found = [text[start:end] for start, end in format_fields(text)]
    assert found == expected
    assert [ast.dump(ast.parse(f"({one.rstrip(' =')}\n)").body[0].value) for one in found] == [
        *map(ast.dump, wanted)
    ]


@pytest.mark.parametrize("text", ["f'{x'", "f'{x:", "f'{x}", "f'{x[}'"])
def test_what_is_no_literal(text):
    assert format_fields(text) is None
