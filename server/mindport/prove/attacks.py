"""Samples that attack what is written for a call: values at the edge, other dtypes, shapes and options than the author
of an example chose, the other mode of a module. They are made from the example and torch's signatures alone.

torch decides which of them mean anything; one that it refuses says nothing. A sample of these that differs is no
contradiction of the case, which may say that it is for other values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from mindport.mapping.schema import Example
from mindport.prove.other_calls import other_calls, other_uses
from mindport.prove.samples import requests_of
from mindport.registry.signature import Signature

VALUES = ("ties", "infinite", "nan", "int32", "boolean")
_SEED = 11
_GENERATORS = ("rand", "randn", "edges")  # of floats, with sizes that can be read


class Attack(NamedTuple):
    """One way to attack: `example` is the author's, or one made from it; `variant` and `seed` bend its inputs. One that
    `is_drawn` is run many times, because what it gives may be drawn at random."""

    name: str
    example: Example
    variant: str = "own"
    seed: int = _SEED
    is_drawn: bool = False

    def request(self, after: str) -> dict[str, Any]:
        """What the oracle is asked to run, where `after` is written for it."""
        asked = requests_of(msgspec.structs.replace(self.example, after=after))[0]
        if self.is_drawn:
            asked["example"]["compare"] = "drawn"
        return {**asked, "variant": self.variant, "seed": self.seed}


def attacks_on(example: Example, apis: Sequence[str], signatures: Sequence[Signature]) -> Iterator[Attack]:
    """The attacks on an example of `apis`, torch names with these signatures; those that need no other text first."""
    # What is drawn from a stream with a seed of its own is the same every time, and other numbers in MindSpore.
    is_drawn = example.compare == "structure" and "seed" not in example.before
    has_module = re.search(r"^m = ", example.before, re.MULTILINE) is not None
    if is_drawn:
        yield Attack("drawn", example, is_drawn=True)
    if example.compare == "value" and _has_floats(example):
        for variant in VALUES:
            yield Attack(variant, example, variant)
        for name, inputs in _other_shapes(example.inputs):
            yield Attack(name, msgspec.structs.replace(example, inputs=inputs, case=None))
        for name, inputs in _other_dtypes(example.inputs):
            yield Attack(name, msgspec.structs.replace(example, inputs=inputs, case=None))
    if example.compare == "value" and has_module:
        yield Attack("drawn weights", example, is_drawn=True)
        if ".eval()" in example.before and not example.modern:
            training = msgspec.structs.replace(
                example, before=example.before.replace(".eval()", ""), case=None
            )
            yield Attack("in training", training, is_drawn=True)
    if example.modern:
        return
    if example.compare in ("value", "structure") and has_module:
        evaluated = re.sub(r"^(m = .*)$", r"\1\nm.eval()", example.before, count=1, flags=re.MULTILINE)
        if _is_code(evaluated):
            changed = msgspec.structs.replace(example, before=evaluated, case=None)
            yield Attack("m.eval()", changed, is_drawn=is_drawn)
        for name in {one.name: None for signature in signatures for one in signature.parameters}:
            yield Attack(f"m.{name}", msgspec.structs.replace(example, observe=f"m.{name}", case=None))
    names = {api.rpartition(".")[2] for api in apis}
    for name, before, observe in other_uses(example.before, names, list(example.inputs)):
        changed = msgspec.structs.replace(example, before=before, observe=observe, case=None)
        yield Attack(name, changed, is_drawn=is_drawn)
    for name, before in other_calls(example.before, names, signatures):
        changed = msgspec.structs.replace(example, before=before, case=None)
        yield Attack(name, changed, is_drawn=is_drawn)


def _has_floats(example: Example) -> bool:
    return any(f"{name}(" in text for text in example.inputs.values() for name in _GENERATORS)


def _other_shapes(inputs: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The inputs with other sizes: of the first of them, and of all."""
    generated = [name for name, text in inputs.items() if _sizes(text) is not None]
    for wanted in dict.fromkeys((tuple(generated[:1]), tuple(generated))):
        for kind in ("one axis more", "one axis fewer", "axes of one", "no elements"):
            changed = {name: _resized(inputs[name], kind) for name in wanted}
            if any(inputs[name] != text for name, text in changed.items()):
                yield f"{kind} in {', '.join(wanted)}", {**inputs, **changed}


def _other_dtypes(inputs: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The inputs with one of them in another dtype, so that they are mixed."""
    for name, text in inputs.items():
        if "dtype" in text or not text.endswith(")"):
            continue
        is_float = text.startswith(_GENERATORS)
        for dtype in ("float64", "float16") if is_float else ("int32",) if text.startswith("rand") else ():
            yield f"{name} in {dtype}", {**inputs, name: f"{text[:-1]}, dtype='{dtype}')"}


def _is_code(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _sizes(text: str) -> list[int] | None:
    """The sizes that a generator of floats is given; None where the text is anything else."""
    match ast.parse(text, mode="eval").body:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _GENERATORS:
            found = [
                arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)
            ]
            return found if len(found) == len(args) else None
    return None


def _resized(text: str, kind: str) -> str:
    sizes = _sizes(text)
    if sizes is None:
        return text
    if kind == "one axis more":
        sizes = [2, *sizes]
    elif kind == "one axis fewer":
        sizes = sizes[1:]
    elif kind == "axes of one":
        sizes = [1] * len(sizes)
    elif sizes:
        sizes = [0, *sizes[1:]]
    return f"{text.partition('(')[0]}({', '.join(map(str, sizes))})"
