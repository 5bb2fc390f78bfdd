"""The constant arguments of a call as MindSpore's name for it gets them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import ArgumentRule, Case
from mindport.registry.binding import bind
from mindport.registry.signature import Signature
from mindport.source.trees import every_node
from mindport.usage.api_use import ApiUse, Argument, Kind, TorchName

_HOLE = re.compile(r"\$(\w+)")
UNREAD = "?"  # stands for an argument that is passed, but whose value cannot be read
_IN_HOLE = "mindport_hole_"  # in place of the dollar, so that a template can be parsed


class SignatureSource(Protocol):
    """Where signatures come from; the facts of either framework fit."""

    def signatures(self, name: str, /) -> tuple[Signature, ...]:
        """The overloads of a name."""


def defaults_of(name: str, signatures: SignatureSource) -> dict[str, str]:
    """The defaults of a name, as source; of the first overload."""
    found = signatures.signatures(name)[:1]
    return {
        one.name: one.default
        for signature in found
        for one in signature.parameters
        if one.default is not None
    }


def known_arguments(
    use: ApiUse,
    judgement: Judgement | None,
    name: str,
    mindspore: SignatureSource,
    torch: SignatureSource,
) -> dict[str, str] | None:
    """The constant arguments under the parameter names of the MindSpore name, as source, UNREAD where one that may
    count is passed and cannot be read; None where nothing is known of them. `judgement` is that of a torch use, None
    for a call of the name itself."""
    if use.call is None:
        return {}
    passed = use.call.arguments
    if judgement is None:
        return _by_parameter(name, passed, mindspore)
    given = _by_parameter(use.api, passed, torch)
    case = judgement.case
    if given is None or case is None:
        return None
    if case.rewrite:
        return _in_template(case.rewrite, {**defaults_of(use.api, torch), **given}, name, mindspore)
    return _renamed(given, case)


def _by_parameter(
    name: str, passed: Sequence[Argument], signatures: SignatureSource
) -> dict[str, str] | None:
    """Parameter -> literal that is passed, or UNREAD; None where it cannot be told which parameter gets
    which."""
    if any(argument.star for argument in passed):
        return None
    chosen = bind(signatures.signatures(name), passed).chosen
    if chosen is None:
        return None
    overloads = signatures.signatures(name)
    settings = {
        one.name for signature in overloads for one in signature.parameters if one.default is not None
    }
    found: dict[str, str] = {}
    for parameter, places in chosen.arguments.items():
        text = _source(passed[places[0]]) if len(places) == 1 else None
        if text is None and parameter in settings and passed[places[0]].kind is not Kind.TENSOR:
            text = UNREAD  # it must not count as the default
        if text is not None:
            found[parameter] = text
    return found


def _renamed(given: Mapping[str, str], case: Case) -> dict[str, str] | None:
    """Torch's arguments under the names that the mapping gives them, and what it adds; None where it is not that
    plain."""
    found = dict(case.add)
    for parameter, text in given.items():
        rule = case.args.get(parameter, parameter)
        if isinstance(rule, ArgumentRule):
            if rule.drop or rule.drop_when is not None:
                continue
            if rule.convert or rule.values:
                return None
            rule = rule.to or parameter
        found[rule] = text
    for parameter, rule in case.args.items():  # what is written because the defaults differ
        if isinstance(rule, ArgumentRule) and rule.default is not None and parameter not in given:
            found[rule.to or parameter] = rule.default
    return found


def _in_template(
    template: str, given: Mapping[str, str], name: str, signatures: SignatureSource
) -> dict[str, str] | None:
    """The arguments of the first call of a name in the replacement; None where there is none that can be read."""
    try:
        tree = ast.parse(_HOLE.sub(rf"{_IN_HOLE}\1", template))
    except SyntaxError:
        return None
    last = name.rpartition(".")[2]
    for node in every_node(tree):
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr != last
        ):
            continue
        names = [one.name for signature in signatures.signatures(name)[:1] for one in signature.parameters]
        pairs = [
            *zip(names, node.args, strict=False),
            *((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg is not None),
        ]
        if len(node.args) > len(names) or any(isinstance(one, ast.Starred) for one in node.args):
            return None
        found = {parameter: _text_of(value, given) for parameter, value in pairs}
        return {parameter: text for parameter, text in found.items() if text is not None}
    return None


def _text_of(node: ast.expr, given: Mapping[str, str]) -> str | None:
    """A literal in a template, or what is known of its hole; None for anything else."""
    if isinstance(node, ast.Name) and node.id.startswith(_IN_HOLE):
        return given.get(node.id.removeprefix(_IN_HOLE))
    text = ast.unparse(node)
    return None if _IN_HOLE in text else text


def _source(argument: Argument) -> str | None:
    """A literal as source; None for anything else."""
    if not argument.is_literal or isinstance(argument.value, TorchName):
        return None
    return repr(argument.value)
