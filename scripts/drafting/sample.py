"""The first example of a draft: a call with the required arguments, and with those that get another name."""

from __future__ import annotations

from collections.abc import Mapping

from mindport.mapping.schema import ArgumentRule, Example, Forms
from mindport.registry.signature import Parameter, ParameterKind, Signature

# What is passed for the kinds that a parameter takes; the first that fits.
_VALUES = (
    ("float", "0.5"),
    ("int", "1"),
    ("bool", "True"),
    ("sequence", "(2, 3)"),
    ("str", "''"),
    ("none", "None"),
)
_SHORT = (("torch.nn.functional.", "F."), ("torch.nn.", "nn."))
_TENSOR = "rand(2, 3)"


def first_example(
    name: str, form: Forms, signature: Signature | None, rules: Mapping[str, str | ArgumentRule]
) -> Example | None:
    """An example whose `after` is still `before`; None for what is no call on tensors."""
    if form == "attribute":
        return _example(f"y = x.{name.rpartition('.')[2]}", {"x": _TENSOR})
    if signature is None or form not in ("function", "method", "module"):
        return None
    inputs: dict[str, str] = {} if form == "function" else {"x": _TENSOR}
    passed = []
    for place, parameter in enumerate(signature.parameters):
        if parameter.is_required:
            value = _argument(parameter, is_first=place == 0 and form == "function", inputs=inputs)
            is_named = parameter.kind is ParameterKind.KEYWORD_ONLY
            passed.append(f"{parameter.name}={value}" if is_named else value)
        elif _is_renamed(rules.get(parameter.name)) and parameter.default != "...":
            passed.append(f"{parameter.name}={parameter.default}")
    arguments = ", ".join(passed)
    if form == "method":
        return _example(f"y = x.{name.rpartition('.')[2]}({arguments})", inputs)
    short = next((new + name[len(old) :] for old, new in _SHORT if name.startswith(old)), name)
    if form == "module":
        return _example(f"m = {short}({arguments})\ny = m(x)", inputs)
    return _example(f"y = {short}({arguments})", inputs)


def _example(before: str, inputs: dict[str, str]) -> Example:
    return Example(before=before, after=before, inputs=inputs)


def _argument(parameter: Parameter, is_first: bool, inputs: dict[str, str]) -> str:
    if "tensor" in parameter.accepts or (is_first and not parameter.accepts):
        variable = "x" if not inputs else parameter.name
        inputs[variable] = _TENSOR
        return variable
    return next((value for kind, value in _VALUES if kind in parameter.accepts), "None")


def _is_renamed(rule: str | ArgumentRule | None) -> bool:
    return isinstance(rule, str) or (rule is not None and rule.to is not None)
