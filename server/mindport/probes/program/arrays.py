"""Arrays that both sides make or read alike: inputs from one little language, weights drawn by their names, the
leaves of nested results."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy
from oracle.inputs import Variant, make_inputs


def input_arrays(texts: list[str], seed: int) -> list[Any]:
    """The inputs of the entry, in order; numpy arrays for tensors, literals as they are."""
    return list(make_inputs({str(i): text for i, text in enumerate(texts)}, Variant.OWN, seed).values())


def map_arrays(value: Any, change: Callable[[Any], Any]) -> Any:
    """The nested inputs with `change` done to every array in them."""
    if isinstance(value, numpy.ndarray):
        return change(value)
    if isinstance(value, dict):
        return {key: map_arrays(inner, change) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map_arrays(inner, change) for inner in value)
    return value


def drawn(name: str, like: Any, seed: int) -> Any:
    """Values for the weight or running statistic `name`: of the size of those it was built with, but other ones, so
    that a port whose own initial values happen to fit proves nothing."""
    stream = numpy.random.default_rng([seed, zlib.crc32(name.encode())])
    last = name.rpartition(".")[2]
    if last == "running_var":
        values = stream.uniform(0.5, 1.5, like.shape)
    elif last == "running_mean":
        values = 0.1 * stream.standard_normal(like.shape)
    else:
        spread = float(like.std()) if like.size > 1 else 0.0
        values = like.mean() + max(spread, 0.02) * stream.standard_normal(like.shape)
    return values.astype(like.dtype)


def leaves(value: Any, is_tensor: Callable[[Any], bool], path: str = "out") -> Iterator[tuple[str, Any]]:
    """The tensors in a nested result, each with its path: tuples and lists by number, dicts and objects by name."""
    if is_tensor(value):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, is_tensor, f"{path}[{key!r}]")
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from leaves(inner, is_tensor, f"{path}[{number}]")
    elif hasattr(value, "__dict__"):
        for key, inner in vars(value).items():
            if is_tensor(inner):
                yield f"{path}.{key}", inner


def weighting(path: str, shape: tuple[int, ...]) -> Any:
    """The random weights that make one number of an output, for its gradient."""
    stream = numpy.random.default_rng(zlib.crc32(path.encode()))
    return stream.standard_normal(shape).astype(numpy.float32)
