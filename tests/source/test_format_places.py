"""What stands in f-strings has the places where the text shows it, in every version of Python."""

import ast

import pytest

from mindport.source.lines import LineIndex
from mindport.source.syntax import parse_expression, parse_tree

TEXTS = {
    "one": "y = f'{a}'",
    "the same twice": "y = f'{a} {a.b} {a.b(1)}'",
    "letters of several bytes": "y = 'é🙂' + f'中文 {a} 🙂{b.c[0]}'",
    "beside others": "y = ('{a}' f'{b}'\n     'x' f'{c.d} {{e}} {f}')",
    "over lines": 'y = f"""a\n  {b}\n{\nc.d(\n  e)\n}"""',
    "carriage returns": 'x = 1\r\ny = f"""a\r\n  {b.c}\r\n{d}"""\r\n',
    "one within": "y = f'{f\"{a.b} {c}\"} {d}'",
    "a comprehension": "y = f'{sum(p.q for p in m.n(k=lambda z: z) if p):,}'",
    "formats and conversions": "y = f'{a!r:>8} {b.c:.3f} {d != e}'",
    "printed with their text": "y = f'{a=} {b.c = :.2f} {d==e}'",
    "in a class": "class A:\n    def f(self):\n        return f'{self.a} {self.b(c)}'\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_places(text):
    index = LineIndex(text)
    found = 0
    for node in ast.walk(parse_tree(text)):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Compare)):
            start = index.line_start(node.lineno) + index.column_of_byte(node.lineno, node.col_offset)
            end = index.line_start(node.end_lineno) + index.column_of_byte(
                node.end_lineno, node.end_col_offset
            )
            assert _loaded(parse_expression(f"({text[start:end]}\n)")) == _loaded(node)
            found += 1
    assert found > 1


def _loaded(node):
    return ast.dump(node).replace("Store()", "Load()")
