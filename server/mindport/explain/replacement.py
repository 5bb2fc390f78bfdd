"""What to write instead, as short code: for one call with its own arguments, or for a case in general."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.mapping.bind import Binding
from mindport.mapping.moves import Move, is_method_name, rule_of
from mindport.mapping.schema import Case
from mindport.mapping.template import Hole, read_template
from mindport.mapping.transfer import transfer_call
from mindport.registry.signature import Signature
from mindport.usage.api_use import ApiUse, Form, TorchName

_SHORT = ("mindspore.ops.", "mindspore.mint.", "mindspore.nn.")


def short_name(dotted: str) -> str:
    """`ops.relu` for mindspore.ops.relu; cells keep their package, because torch's `nn` is called so too."""
    if dotted.startswith("mindspore.nn."):
        return dotted
    return dotted.removeprefix("mindspore.") if dotted.startswith(_SHORT) else dotted


def case_code(case: Case) -> str:
    """The replacement of a case without looking at a call; empty where there is none."""
    if case.helper is not None:
        return f"{case.helper}(...)"
    if case.rewrite is not None:
        return _filled(case, None)
    if case.call is None:
        return ""
    added = "".join(f", {name}={source}" for name, source in case.add.items())
    return _with_receiver(case.call) + f"(...{added})"


def call_code(use: ApiUse, case: Case, binding: Binding, signatures: tuple[Signature, ...]) -> str:
    """The replacement for one use, literal arguments shown, others by their parameter's name."""
    if case.helper is not None:
        return case.helper if use.call is None else f"{case.helper}(...)"
    if case.rewrite is not None:
        return _filled(case, binding)
    if case.call is None:
        return ""
    if use.call is None:
        return (
            _with_receiver(case.call)
            if use.form is not Form.OVERRIDE
            else f"def {case.call.rpartition('.')[2]}"
        )
    transfer = transfer_call(case, binding, signatures)
    if transfer.problem:
        return _with_receiver(case.call) + "(...)"
    shown = [_argument(move, binding) for move in transfer.moves if not move.is_dropped]
    if is_method_name(case.call):
        shown = shown[1:]
    shown += [f"{name}={source}" for name, source in transfer.additions]
    return f"{_with_receiver(case.call)}({', '.join(shown)})"


def _with_receiver(dotted: str) -> str:
    return f"x.{dotted.rpartition('.')[2]}" if is_method_name(dotted) else short_name(dotted)


def _argument(move: Move, binding: Binding) -> str:
    if not move.places:
        return "x"
    text = _values(move.parameter, move.places, binding, is_packed=move.is_packed)
    if move.convert and not move.is_packed:
        from mindport.mapping.converters import convert

        argument = binding.arguments[move.places[0]]
        text = convert(move.convert, text, argument.kind.value) or text
    for old, new in move.values:
        text = new if text in (old, old.replace('"', "'")) else text
    return f"{move.keyword}={text}" if move.keyword else text


def _values(name: str, places: Sequence[int], binding: Binding, *, is_packed: bool) -> str:
    """The values of one parameter, as a tuple if they are packed. Several of which nothing is known are not told one by
    one."""
    values = [_value(name, place, binding) for place in places]
    if len(values) > 1 and set(values) == {name}:
        return name if is_packed else f"*{name}"
    text = ", ".join(values)
    if not is_packed:
        return text
    return f"({text},)" if len(values) == 1 else f"({text})"


def _value(name: str, place: int, binding: Binding) -> str:
    argument = binding.arguments[place]
    if argument.is_literal and not isinstance(argument.value, TorchName):  # a name is replaced by itself
        return repr(argument.value)
    return "*" * argument.star + (name or "...")


def _filled(case: Case, binding: Binding | None) -> str:
    parts: list[str] = []
    for part in read_template(case.rewrite or "").parts:
        if isinstance(part, Hole):
            parts.append(_hole(part, case, binding))
        else:
            parts.append(part)
    return "".join(parts)


def _hole(hole: Hole, case: Case, binding: Binding | None) -> str:
    if hole.name == "input":
        return "x"
    overload = binding.overloads[0] if binding is not None and binding.overloads else None
    if binding is None or overload is None:
        return hole.name
    places = overload.places.get(hole.name)
    if places:
        is_packed = len(places) > 1 and not hole.is_spread
        return _values(hole.name, places, binding, is_packed=is_packed)
    parameter = overload.signature.parameter(hole.name)
    default = rule_of(case, hole.name).default or (parameter.default if parameter is not None else None)
    return default if default not in (None, "...") else hole.name
