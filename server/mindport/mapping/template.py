"""Reads `rewrite:` templates: text with holes such as `$input`, `$dim` and `$*size`."""

from __future__ import annotations

import ast
import functools
import itertools
import re

import msgspec

from mindport.mapping.converters import is_atom
from mindport.source.trees import children, every_node
from mindport.source.written_names import dotted_text

_HOLE = re.compile(r"\$(?P<star>\*?)(?P<name>[A-Za-z_]\w*)")
_OPENERS = "(,[{=:"
_CLOSERS = "),]}:"


DECORATED = "$decorated"
"""The whole template of a decorator that is left out: what it decorates serves as it is."""

INTO_OPERAND = "$self[()] = $self + $other"
"""The whole template of a statement such as `x += y` whose result goes into the tensor itself; other operators keep
theirs."""


class Hole(msgspec.Struct, frozen=True):
    """A place for an argument's source. `is_spread` for `$*name`; `stands_alone` where the text around it is
    brackets, commas or `=`, so that the source needs no parentheses; `hidden` are names that mean something else
    there, because a lambda or a comprehension around the hole binds them."""

    name: str
    is_spread: bool
    stands_alone: bool
    hidden: frozenset[str] = frozenset()


class Template(msgspec.Struct, frozen=True):
    """A template cut into text and holes. `is_statement` where it is an assignment and not an expression;
    `is_atom` where its result binds tighter than any operator."""

    parts: tuple[str | Hole, ...]
    is_statement: bool
    is_atom: bool
    names: tuple[str, ...]  # dotted names that the text itself refers to, `mint.mean`

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes in order, repeated ones repeated."""
        return tuple(part for part in self.parts if isinstance(part, Hole))


@functools.lru_cache(maxsize=4096)
def read_template(text: str) -> Template:
    """Cut `text` into pieces; raises ValueError with what is wrong when it is no Python once the holes are
    filled."""
    source = text.strip()
    filled = _HOLE.sub(lambda match: ("*" if match["star"] else "") + f"hole_{match['name']}", source)
    try:
        body = ast.parse(filled).body
    except SyntaxError as error:
        raise ValueError(f"no Python once the holes are filled: {error.msg}: {filled}") from None
    if len(body) != 1:
        raise ValueError(f"one expression or one statement is expected: {filled}")
    hidden = _hidden_names(body[0], filled)
    parts: list[str | Hole] = []
    position = grown = 0
    for match in _HOLE.finditer(source):
        if match.start() > position:
            parts.append(source[position : match.start()])
        stands_alone = _stands_alone(source, match.start(), match.end())
        place = match.start() + grown + len(match["star"])
        parts.append(Hole(match["name"], bool(match["star"]), stands_alone, hidden.get(place, frozenset())))
        position = match.end()
        grown += len("hole_") - len("$")
    if position < len(source):
        parts.append(source[position:])
    is_statement = not isinstance(body[0], ast.Expr)
    is_expression_atom = not is_statement and is_atom(filled)
    return Template(tuple(parts), is_statement, is_expression_atom, tuple(_names(body[0])))


def _stands_alone(source: str, start: int, end: int) -> bool:
    before = source[:start].rstrip()
    after = source[end:].lstrip()
    opened = (
        not before
        or before in ("assert", "return")
        or (before[-1] in _OPENERS and before[-2:] not in ("==", "<=", ">=", "!="))
    )
    return opened and (not after or after[0] in _CLOSERS)


def _hidden_names(tree: ast.AST, filled: str) -> dict[int, frozenset[str]]:
    """The names that lambdas and comprehensions bind around each hole, by its offset in `filled`."""
    found: dict[int, frozenset[str]] = {}
    starts = list(itertools.accumulate((len(line) for line in filled.splitlines(keepends=True)), initial=0))

    def visit(node: ast.AST, bound: frozenset[str]) -> None:
        if isinstance(node, ast.Name) and node.id.startswith("hole_"):
            found[starts[node.lineno - 1] + node.col_offset] = bound
        inner = bound
        outside: list[ast.AST] = []
        if isinstance(node, ast.Lambda):
            arguments = node.args
            outside = [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
            inner |= {one.arg for one in every_node(arguments) if isinstance(one, ast.arg)}
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            outside = [node.generators[0].iter]
            targets = (name for one in node.generators for name in every_node(one.target))
            inner |= {name.id for name in targets if isinstance(name, ast.Name)}
        for child in children(node):
            if isinstance(child, (ast.arguments, ast.comprehension)):
                for part in children(child):
                    visit(part, bound if part in outside else inner)
            else:
                visit(child, inner)

    visit(tree, frozenset())
    return found


def _names(node: ast.AST) -> list[str]:
    """Dotted names in the text that do not begin in a hole, longest form only, in order."""
    found: list[str] = []

    def visit(part: ast.AST) -> None:
        dotted = dotted_text(part)
        if dotted:
            if not dotted.startswith("hole_") and dotted not in found:
                found.append(dotted)
            return
        for child in children(part):
            visit(child)

    visit(node)
    return found
