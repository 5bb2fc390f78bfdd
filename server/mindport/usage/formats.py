"""Formats of numbers: which arguments of `"{:.3f}".format(loss)` and fields of f-strings have one."""

from __future__ import annotations

import ast
import itertools
import re
import string
from collections.abc import Iterator

from mindport.source.format_fields import format_fields
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression

# Stands for the letter of a format where a whole template is meant.
TEMPLATE = "{}"
# Stands for the letter of a format that has none, such as `>8`, `,` or `.4`: texts may have some of them too.
NO_LETTER = ">"

_NUMBER = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?0?\d*[_,]?(?:\.\d+)?([bcdeEfFgGnoxX%]?)")


def number_format(text: str) -> str:
    """The letter of a format that numbers have, such as the `f` of `>8.3f`; `NO_LETTER` where it has none; empty for
    no format and for any other one."""
    match = _NUMBER.fullmatch(text)
    return (match[1] or NO_LETTER) if match is not None and text else ""


def format_of(field: ast.FormattedValue) -> str:
    """The letter of the format of a field of an f-string; a width or precision that is computed counts as a number."""
    if field.conversion != -1 or not isinstance(field.format_spec, ast.JoinedStr):
        return ""
    parts = field.format_spec.values
    return number_format("".join(str(one.value) if isinstance(one, ast.Constant) else "1" for one in parts))


def value_in_field(literal: str, place: int, value: ast.AST) -> tuple[int, int] | None:
    """Where the value of a field stands in the text of its f-string, as offsets; None where the text shows another
    one."""
    fields = format_fields(literal) or []
    if place >= len(fields):
        return None
    start, end = fields[place]
    shown = literal[start:end].rstrip()
    end, start = start + len(shown), end - len(literal[start:end].lstrip())
    try:
        is_same = ast.dump(parse_expression(f"({literal[start:end]}\n)")) == ast.dump(value)
    except SYNTAX_ERRORS:
        return None
    return (start, end) if is_same else None


def formatted_arguments(call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """The arguments of `"...".format(...)` and `format(x, "...")` that are numbers by their formats, each with the
    letter of its format. None of a call where stars hide which argument a field has."""
    match call:
        case ast.Call(func=ast.Name(id="format"), args=[value, ast.Constant(value=str(text))], keywords=[]):
            letter = number_format(text)
            if letter:
                yield value, letter
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            if not any(isinstance(argument, ast.Starred) for argument in call.args):
                yield from _by_fields(text, call)


def _by_fields(text: str, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    letters = _letters(text)
    for name, argument in _named(call).items():
        found = letters.get(name, set())
        if found - {""}:  # of several formats each has to get the number as it is
            yield argument, min(found) if len(found) == 1 else NO_LETTER


def fields_of_objects(call: ast.Call) -> Iterator[tuple[ast.expr, list[str]]]:
    """The arguments of `"{losses.val:.3f}".format(losses=losses)` of which fields print parts, as numbers, each with
    the names that lead to its part. Elements of containers are passed over."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            arguments = _named(call)
            for name, letters in _letters(text).items():
                first, *names = name.split(".")
                if names and first in arguments and letters != {""} and "[" not in name:
                    yield arguments[first], names


def unpacked_object(call: ast.Call) -> ast.Name | None:
    """The `meter` of `template.format(**meter.__dict__)` or `template.format(**vars(meter))`."""
    for keyword in call.keywords:
        match keyword:
            case (
                ast.keyword(arg=None, value=ast.Attribute(value=ast.Name() as owner, attr="__dict__"))
                | ast.keyword(arg=None, value=ast.Call(func=ast.Name(id="vars"), args=[ast.Name() as owner]))
            ):
                return owner
    return None


def _named(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by their names and places."""
    arguments: dict[str, ast.expr] = {str(place): value for place, value in enumerate(call.args)}
    arguments.update((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None)
    return arguments


def _letters(text: str) -> dict[str, set[str]]:
    """The names or places of the arguments that a text has fields for, with the letters of their formats. Of a format
    that has fields itself nobody knows which arguments they take; then there are none."""
    found: dict[str, set[str]] = {}
    places = itertools.count()
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return {}
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if form and "{" in form:
            return {}
        if not name or name[0] in ".[":
            name = f"{next(places)}{name}"
        found.setdefault(name, set()).add("" if conversion else number_format(form or ""))
    return found
