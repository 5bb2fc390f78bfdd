"""Calls of helpers in templates, `TorchNLLLoss($weight, $reduce, $reduction)`, without the arguments that the user's
call leaves out too, as far as the helper has the same defaults as torch."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection

import msgspec

from mindport.mapping.helper_source import helper_defaults
from mindport.mapping.template import Hole, Template

_CALLED = re.compile(r"(?<![\w.])([Tt]orch\w+)\($")
_KEYWORD = re.compile(r", (\w+)=")
_COMMA = ", "


def without_defaults(
    template: Template, passed: Collection[str], default_of: Callable[[Hole], str | None]
) -> Template:
    """The template without such arguments of its helpers; those behind one that is left out go by their names.
    `passed` are the holes that the call has an argument for, `default_of` gives what fills another one."""
    written: list[str | Hole] = []
    parameters: tuple[tuple[str, str], ...] = ()  # of the helper whose arguments come next
    place, before, is_left_out = 0, "", False
    for part in template.parts:
        if isinstance(part, str):
            if parameters and (part == _COMMA or _KEYWORD.fullmatch(part)):
                before = part
                continue
            called = _CALLED.search(part)
            parameters = helper_defaults(called[1]) if called else ()
            place, is_left_out = 0, False
            written.append(_behind(written, part))
            continue
        keyword = _KEYWORD.fullmatch(before)
        name, default = _parameter(parameters, place, keyword[1] if keyword else "")
        place += 1
        is_asked = part.name in passed or part.is_spread
        if default and not is_asked and _is_same(default_of(part), default):
            is_left_out = True
        else:
            written += [_behind(written, before)] if before else []
            written += [f"{name}="] if is_left_out and name and not keyword else []
            written.append(part)
        before = ""
    return msgspec.structs.replace(template, parts=tuple(written))


def _parameter(parameters: tuple[tuple[str, str], ...], place: int, keyword: str) -> tuple[str, str]:
    """The parameter that an argument goes to, with its default; empty texts where the helper has none such."""
    if keyword:
        return next((one for one in parameters if one[0] == keyword), ("", ""))
    return parameters[place] if place < len(parameters) else ("", "")


def _behind(written: list[str | Hole], part: str) -> str:
    """A part of the template as it stands behind what is written: the first argument of a call needs no comma."""
    is_opened = bool(written) and isinstance(written[-1], str) and written[-1].endswith("(")
    return part.removeprefix(_COMMA) if is_opened else part


def _is_same(one: str | None, other: str) -> bool:
    try:
        return one is not None and ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False
