"""What likely becomes of torch's parameters in a MindSpore signature: by name, by usual renames, by place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from mindport.mapping.bind import RECEIVER
from mindport.mapping.draft import PLACEHOLDER
from mindport.mapping.moves import same_default
from mindport.mapping.schema import ArgumentRule
from mindport.registry.signature import Parameter, ParameterKind, Signature

_RENAMES = {
    "dim": ("axis",),
    "dims": ("axis", "axes"),
    "keepdim": ("keep_dims", "keepdims"),
    "groups": ("group",),
    "bias": ("has_bias",),
    "dtype": ("type",),
}
# What only torch has: another parameter in the same place is no counterpart.
_OF_TORCH = frozenset(
    (
        "device",
        "generator",
        "inplace",
        "layout",
        "memory_format",
        "non_blocking",
        "out",
        "pin_memory",
        "requires_grad",
    )
)
_COLLECTING = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


class Pairing(NamedTuple):
    """Torch's parameters beside MindSpore's. `rules` are for `args`; `needed` are MindSpore's required parameters that
    torch has nothing for."""

    torch: Signature
    rules: dict[str, str | ArgumentRule]
    needed: tuple[str, ...]

    @property
    def gaps(self) -> int:
        """How many parameters of either side are left over, for comparing overloads."""
        left = sum(isinstance(rule, ArgumentRule) and rule.report is not None for rule in self.rules.values())
        return left + len(self.needed)


def best_pairing(
    torch: Sequence[Signature], mindspore: Sequence[Signature], takes_receiver: int
) -> Pairing | None:
    """The two overloads that fit best; None where a side has no known signature. `takes_receiver` is how many
    parameters more torch's side (1) or MindSpore's side (-1) spends on the tensor that the other one has before the
    dot."""
    pairs = [_paired(one, other, takes_receiver) for one in torch for other in mindspore]
    return min(pairs, key=lambda pair: (pair.gaps, len(pair.rules)), default=None)


def _paired(torch: Signature, mindspore: Signature, takes_receiver: int) -> Pairing:
    theirs = [p for p in torch.parameters[max(takes_receiver, 0) :] if p.kind not in _COLLECTING]
    ours = [p for p in mindspore.parameters[max(-takes_receiver, 0) :] if p.kind not in _COLLECTING]
    takes_all = len(ours) < len(mindspore.parameters[max(-takes_receiver, 0) :])
    partners = _partners(theirs, ours)
    rules: dict[str, str | ArgumentRule] = {}
    for parameter in theirs:
        name = RECEIVER if parameter.name == "self" else parameter.name
        partner = partners.get(parameter.name)
        if partner is None:
            if not takes_all:
                text = f"{PLACEHOLDER} no counterpart was found; say why that matters, or `drop` it."
                rules[name] = ArgumentRule(report=text)
            continue
        to = partner.name if partner.name != name else None
        default = parameter.default if _differs(parameter, partner) else None
        if default is not None:
            rules[name] = ArgumentRule(to=to, default=default)
        elif to is not None:
            rules[name] = to
    taken = {partner.name for partner in partners.values()}
    return Pairing(torch, rules, tuple(p.name for p in ours if p.is_required and p.name not in taken))


def _partners(theirs: list[Parameter], ours: list[Parameter]) -> dict[str, Parameter]:
    """Torch's parameter name -> MindSpore's parameter: all equal names first, then renames, then places."""
    free = {parameter.name: parameter for parameter in ours}
    found = {p.name: free.pop(p.name) for p in theirs if p.name in free}
    for parameter in theirs:
        renamed = next((name for name in _RENAMES.get(parameter.name, ()) if name in free), None)
        if parameter.name not in found and renamed is not None:
            found[parameter.name] = free.pop(renamed)
    for parameter, other in zip(theirs, ours, strict=False):
        if parameter.name not in found and other.name in free and _may_be_one(parameter, other):
            found[parameter.name] = free.pop(other.name)
    return found


def _may_be_one(torch: Parameter, mindspore: Parameter) -> bool:
    """Whether two parameters in the same place are likely the same: both required, or defaults of one type."""
    if torch.name in _OF_TORCH or torch.kind is ParameterKind.KEYWORD_ONLY:
        return False
    if torch.default is None or mindspore.default is None:
        return torch.default is mindspore.default
    return _type_of(torch.default) is _type_of(mindspore.default) is not None


def _differs(torch: Parameter, mindspore: Parameter) -> bool:
    """Whether torch's default must be written out, as far as it is a literal."""
    known = torch.default is not None and torch.default != "None" and _type_of(torch.default) is not None
    return known and not same_default(torch.default, mindspore.default)


def _type_of(default: str) -> type | None:
    try:
        value = ast.literal_eval(default)
    except (ValueError, SyntaxError):
        return None
    return None if value is ... else type(value)
