"""Names that write into their input: `torch.Tensor.relu_`. Their result is written back with an assignment."""

from __future__ import annotations

import msgspec

from drafting.arguments import Pairing
from mindport.mapping.moves import is_method_name
from mindport.mapping.schema import ArgumentRule, Case, Example
from mindport.registry.torch import torch_facts


def is_in_place(name: str) -> bool:
    """Whether the name writes into its input: torch has it without the last underscore, too."""
    return name.endswith("_") and not name.endswith("__") and torch_facts().canonical(name[:-1]) is not None


def with_assignment(case: Case, target: str, pairing: Pairing | None, is_method: bool) -> Case:
    """The case as the assignment of a call of `target`, for uses that are a statement of their own."""
    parameters = pairing.torch.parameters if pairing is not None else ()
    rules = pairing.rules if pairing is not None else {}
    left = {name: rule for name, rule in rules.items() if isinstance(rule, ArgumentRule) and rule.report}
    passed = [
        f"{_target_name(parameter.name, rules)}=${parameter.name}"
        for parameter in (parameters if is_method else parameters[1:])
        if parameter.name not in left
    ]
    simple = target.rpartition(".")[2]
    if is_method_name(target):
        call = f"$input.copy().{simple}({', '.join(passed)})"
    else:
        call = f"{target}({', '.join(['$input', *passed])})"
    return msgspec.structs.replace(
        case,
        when={"$result": "discarded"},
        rewrite=f"$input[()] = {call}",
        imports=[] if is_method_name(target) else ["import mindspore"],
        args=left,
    )


def as_statement(example: Example) -> Example:
    """The example with its call as a statement of its own, on a tensor that nobody else has."""
    before = f"x = x + 0\n{example.before.removeprefix('y = ')}\ny = x"
    return msgspec.structs.replace(example, before=before)


def _target_name(name: str, rules: dict[str, str | ArgumentRule]) -> str:
    rule = rules.get(name)
    return (rule if isinstance(rule, str) else rule.to if rule is not None else None) or name
