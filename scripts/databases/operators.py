"""The samples of OpInfo as source: as a function, as a method, and in place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from databases.call_source import ArgumentWriter, NotWritable, Sample, Unwritten

DATABASE = "opinfo"
_OPERATORS = {
    "__radd__": "+",
    "__rsub__": "-",
    "__rmul__": "*",
    "__rdiv__": "/",
    "__rmod__": "%",
    "__rpow__": "**",
    "__rmatmul__": "@",
    "__rand__": "&",
    "__ror__": "|",
    "__rxor__": "^",
}
_ATTRIBUTES = ("T", "H", "mT", "mH")
# Results that are defined up to their order or sign only: which one comes out is no difference.
_NOT_UNIQUE = ("linalg.eig", "linalg.eigvals", "linalg.eigh", "linalg.svd", "svd")
# Entries whose samples have another order of arguments than the public function.
_ORDER = {
    "nn.functional.embedding": (1, 0),
    "nn.functional.embedding_bag": (1, 0),
    "where": (1, 0, 2),
}


def entries() -> list[Any]:
    """All entries, by label."""
    from torch.testing._internal.common_methods_invocations import op_db

    return sorted(op_db, key=lambda one: one.full_name)


def label_of(entry: Any) -> str:
    """The name of an entry in reports."""
    return str(entry.full_name)


def samples_of(entry: Any, most: int) -> Iterator[Sample | Unwritten]:
    """The samples of an entry in all its forms; `most` of each form, spread evenly (0: all)."""
    label = entry.full_name
    reason = _why_not(entry)
    dtype = _dtype_of(entry)
    if not reason and dtype is None:
        reason = "takes neither float32 nor integers nor booleans"
    if reason:
        yield Unwritten(DATABASE, label, "function", 0, reason)
        return
    assert dtype is not None
    with_gradient = entry.supports_autograd and dtype.is_floating_point
    try:
        torch.manual_seed(0)
        inputs = list(entry.sample_inputs("cpu", dtype, requires_grad=with_gradient))
    except Exception as error:  # noqa: BLE001  the database may need what is not installed
        yield Unwritten(DATABASE, label, "function", 0, f"torch makes no samples: {error}")
        return
    chosen = spread(inputs, most)
    for number, sample in chosen:
        for form in _forms(entry):
            try:
                yield _written(entry, form, number, sample)
            except NotWritable as error:
                yield Unwritten(DATABASE, label, form, number, str(error))
            except _OtherFunction as error:
                yield Unwritten(DATABASE, label, form, number, str(error))


def spread(items: list[Any], most: int) -> list[tuple[int, Any]]:
    """At most that many of the items with their numbers, evenly spread and always the same."""
    if not most or len(items) <= most:
        return list(enumerate(items))
    places = sorted({round(i * (len(items) - 1) / (most - 1)) for i in range(most)} if most > 1 else {0})
    return [(place, items[place]) for place in places]


class _OtherFunction(Exception):
    """The entry tests something else than the public function of its name."""


def _why_not(entry: Any) -> str:
    parts = entry.name.split(".")
    if entry.name.startswith("torch.ops.") or parts[0] == "ops":
        return "no public name (torch.ops)"
    if any(part.startswith("_") and not part.startswith("__") for part in parts):
        return "no public name (underscore)"
    if "jiterator" in entry.name:
        return "for CUDA only"
    return ""


def _dtype_of(entry: Any) -> torch.dtype | None:
    for dtype in (torch.float32, torch.int64, torch.bool):
        if entry.supports_dtype(dtype, "cpu"):
            return dtype
    return None


def _forms(entry: Any) -> list[str]:
    if entry.name in _OPERATORS or entry.name in _ATTRIBUTES or entry.name == "__getitem__":
        return ["operator"]
    forms = []
    if callable(_public(entry.name)):
        forms.append("function")
    if entry.method_variant is not None and callable(getattr(torch.Tensor, entry.name, None)):
        forms.append("method")
    if entry.inplace_variant is not None and callable(getattr(torch.Tensor, f"{entry.name}_", None)):
        forms.append("in-place")
    return forms


def _public(name: str) -> Any:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _written(entry: Any, form: str, number: int, sample: Any) -> Sample:
    if form == "in-place" and sample.broadcasts_input:
        raise _OtherFunction("does not fit into its own input")
    writer = ArgumentWriter()
    args = [sample.input, *sample.args]
    if entry.name == "einsum":  # the entry takes the operands first, and as a list
        args = [sample.args[0], *sample.input]
    lines: list[str]
    if form == "operator":
        lines = [f"return {_operator(entry, writer, args, sample.kwargs)}"]
    elif form == "function":
        order = _ORDER.get(entry.full_name, range(len(args)))
        args = [*(args[i] for i in order if i < len(args)), *args[len(order) :]]
        lines = [f"return torch.{entry.name}({writer.arguments(args, sample.kwargs)})"]
    else:
        if not isinstance(sample.input, torch.Tensor):
            raise NotWritable("the first argument is no tensor")
        receiver = writer.text(sample.input)
        rest = writer.arguments(sample.args, sample.kwargs)
        if form == "method":
            lines = [f"return {receiver}.{entry.name}({rest})"]
        else:
            # On a tensor of its own, as in the examples of the mappings.
            lines = [
                f"{receiver} = {receiver}.clone()",
                f"{receiver}.{entry.name}_({rest})",
                f"return {receiver}",
            ]
    compare = "value"
    if entry.name in _NOT_UNIQUE:
        compare = "structure"
    elif form == "in-place":
        call = getattr(torch.Tensor, f"{entry.name}_")
        compare = "structure" if _draws(call, [sample.input, *sample.args], sample.kwargs) else "value"
    elif form in ("function", "method"):
        compare = _comparable(entry, form, sample, args)
    body = "".join(f"    {line}\n" for line in lines)
    return Sample(
        DATABASE,
        entry.full_name,
        form,
        number,
        f"import torch\n\n\ndef call({writer.parameters()}):\n{body}",
        writer.arrays,
        tuple(writer.gradient_of),
        compare,
    )


def _operator(entry: Any, writer: ArgumentWriter, args: list[Any], kwargs: dict[str, Any]) -> str:
    first = writer.text(args[0])
    if entry.name in _ATTRIBUTES:
        return f"{first}.{entry.name}"
    if entry.name == "__getitem__":
        return f"{first}[{writer.index(args[1])}]"
    if len(args) != 2 or kwargs:
        raise NotWritable("an operator with more than two operands")
    return f"{writer.text(args[1])} {_OPERATORS[entry.name]} {first}"


def _comparable(entry: Any, form: str, sample: Any, args: list[Any]) -> str:
    """`value`, or `structure` where the results are random. Raises _OtherFunction where the entry does not do
    what the public function does."""
    call = _public(entry.name) if form == "function" else getattr(torch.Tensor, entry.name)
    args = args if form == "function" else [sample.input, *sample.args]
    if entry.op is call:
        if not _draws(call, args, sample.kwargs):
            return "value"
        return "structure"
    try:
        with torch.random.fork_rng():
            torch.manual_seed(1)
            wanted = entry.op(*_copies([sample.input, *sample.args]), **_copies(sample.kwargs))
            torch.manual_seed(1)
            got = call(*_copies(args), **_copies(sample.kwargs))
        is_random = _draws(call, args, sample.kwargs)
        is_same = _same(wanted, got, values=not is_random)
    except Exception:  # noqa: BLE001  whatever it raises, it is not the same
        is_same = False
    if not is_same:
        raise _OtherFunction("the entry wraps the public function")
    return "structure" if is_random else "value"


def _draws(call: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the call uses torch's random numbers, or leaves memory as it finds it."""
    if getattr(call, "__name__", "").startswith(("empty", "new_empty")):
        return True
    with torch.random.fork_rng():
        torch.manual_seed(1)
        before = torch.random.get_rng_state()
        try:
            call(*_copies(args), **_copies(kwargs))
        except Exception:  # noqa: BLE001  the worker will see it, too
            return False
        return not torch.equal(before, torch.random.get_rng_state())


def _copies(values: Any) -> Any:
    if isinstance(values, torch.Tensor):
        return values.detach().clone()
    if isinstance(values, dict):
        return {name: _copies(value) for name, value in values.items()}
    if isinstance(values, (list, tuple)) and type(values) in (list, tuple):
        return type(values)(_copies(value) for value in values)
    return values


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return list(itertools.chain.from_iterable(_tensors(one) for one in value))
    return []


def _same(first: Any, second: Any, *, values: bool) -> bool:
    pairs = list(zip(_tensors(first), _tensors(second), strict=True))
    if any(a.dtype != b.dtype or a.shape != b.shape for a, b in pairs):
        return False
    return not values or all(torch.allclose(a, b, equal_nan=True) for a, b in pairs)
