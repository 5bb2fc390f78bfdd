"""Makes the input arrays of an example from its `inputs:` texts, and variants of them.

The texts are a closed little language: literals, arithmetic on them, and the generators listed in
GENERATORS."""

from __future__ import annotations

import ast
import base64
import enum
from collections.abc import Callable
from typing import Any

import numpy


class Variant(enum.Enum):
    """How the values of the floating point generators are bent; all else stays as the author wrote it."""

    OWN = "own"  # as written
    SIGNED = "signed"  # spread over [-3, 3): what a call does with negative and larger values
    SMALL = "small"  # near zero: shows differing epsilons
    DOUBLE = "double"  # float64
    INTEGER = "integer"  # int64, where torch takes them
    INT32 = "int32"
    BOOLEAN = "boolean"
    TIES = "ties"  # whole numbers from -2 to 2 as floats: zeros, and the same value often
    INFINITE = "infinite"  # signed, with infinities, both zeros, a denormal and huge numbers among them
    NAN = "nan"  # signed, with NaN among them
    FLOAT16 = "float16"  # as written, and every float32 array is narrowed, those of modules too
    BFLOAT16 = "bfloat16"


NARROW = (Variant.FLOAT16, Variant.BFLOAT16)
_SPECIAL = {
    Variant.INFINITE: (numpy.inf, 0.0, -numpy.inf, -0.0, 1e-40, 1e30, 1.0),
    Variant.NAN: (numpy.nan, 1.0, 0.0),
}


class InputError(ValueError):
    """An `inputs:` text outside the little language."""


def make_inputs(texts: dict[str, str], variant: Variant, seed: int) -> dict[str, Any]:
    """Evaluate every text with one random stream; arrays come back as numpy arrays, literals as they are.

    Raises InputError for a text that is not in the language."""
    generators = _generators(numpy.random.default_rng(seed), variant)
    found = {name: _evaluate(text, generators) for name, text in texts.items()}
    return {name: _narrowed(value, variant) for name, value in found.items()} if variant in NARROW else found


def read_arrays(arrays: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Inputs that are given as they are: name -> `dtype`, `shape`, and `data`, the bytes in base64."""
    return {
        name: numpy.frombuffer(base64.b64decode(one["data"]), one["dtype"]).reshape(one["shape"]).copy()
        for name, one in arrays.items()
    }


def _generators(stream: numpy.random.Generator, variant: Variant) -> dict[str, Callable[..., Any]]:
    def bend(values: Any) -> Any:
        if variant is Variant.SIGNED:
            return (values * 6 - 3).astype(numpy.float32)
        if variant is Variant.SMALL:
            return (values * 0.01).astype(numpy.float32)
        if variant is Variant.DOUBLE:
            return values.astype(numpy.float64)
        if variant is Variant.INTEGER:
            return numpy.floor(values * 9 - 4).astype(numpy.int64)
        if variant is Variant.INT32:
            return numpy.floor(values * 9 - 4).astype(numpy.int32)
        if variant is Variant.BOOLEAN:
            return numpy.asarray(values > 0.5)
        if variant is Variant.TIES:
            return numpy.round(values * 4 - 2).astype(numpy.float32)
        if variant in _SPECIAL:
            return _sprinkled(stream, values * 6 - 3, _SPECIAL[variant])
        return values.astype(numpy.float32)

    def normal(values: Any) -> Any:
        # The variants expect values about [0, 1); three standard deviations fill the signed range.
        return bend(values if variant in (Variant.OWN, Variant.DOUBLE) else values / 6 + 0.5)

    def shape_of(shape: tuple[Any, ...]) -> tuple[int, ...]:
        return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape

    def cast(values: Any, dtype: str | None) -> Any:
        return values if dtype is None else values.astype(dtype)

    return {
        "rand": lambda *shape, dtype=None: cast(bend(stream.random(shape_of(shape))), dtype),
        "randn": lambda *shape, dtype=None: cast(normal(stream.standard_normal(shape_of(shape))), dtype),
        "edges": lambda *shape: _edges(stream, shape_of(shape), variant),
        "randint": lambda low, high, shape, dtype=None: cast(
            stream.integers(low, high, shape_of((shape,)) if not isinstance(shape, int) else (shape,)), dtype
        ),
        "randbool": lambda *shape: stream.random(shape_of(shape)) < 0.5,
        "randperm": lambda count: stream.permutation(count),
        "arange": lambda *bounds, dtype=None: cast(numpy.arange(*bounds), dtype),
        "zeros": lambda *shape, dtype="float32": numpy.zeros(shape_of(shape), dtype),
        "ones": lambda *shape, dtype="float32": numpy.ones(shape_of(shape), dtype),
        "tensor": lambda values, dtype=None: _tensor(values, dtype),
        "array": lambda values, dtype=None: NumpyInput(_tensor(values, dtype)),
        "complex": lambda *shape: (
            stream.standard_normal(shape_of(shape)) + 1j * stream.standard_normal(shape_of(shape))
        ).astype(numpy.complex64),
    }


def _sprinkled(stream: numpy.random.Generator, values: Any, special: tuple[float, ...]) -> Any:
    """The values with special ones in a third of the places, at least one."""
    found = numpy.array(values, numpy.float32)
    places = stream.permutation(found.size)[: -(-found.size // 3)]
    found.reshape(-1)[places] = numpy.resize(stream.permutation(special), len(places))
    return found


def _edges(stream: numpy.random.Generator, shape: tuple[Any, ...], variant: Variant) -> Any:
    """Probabilities with 0 and 1 among them, in every variant: bent, they would be none."""
    values = stream.random(shape) * 2 - 0.5
    return numpy.clip(values, 0, 1).astype(numpy.float64 if variant is Variant.DOUBLE else numpy.float32)


GENERATORS = tuple(_generators(numpy.random.default_rng(0), Variant.OWN))


class NumpyInput:
    """An input that stays a numpy array in both frameworks (`torch.from_numpy(x)`)."""

    def __init__(self, values: Any) -> None:
        self.values = values


class BFloat16Input:
    """An input of a dtype that numpy lacks; `values` are float32."""

    def __init__(self, values: Any) -> None:
        self.values = values


def _narrowed(value: Any, variant: Variant) -> Any:
    if not isinstance(value, numpy.ndarray) or value.dtype != numpy.float32:
        return value
    return value.astype(numpy.float16) if variant is Variant.FLOAT16 else BFloat16Input(value)


def _tensor(values: Any, dtype: str | None) -> Any:
    array = numpy.array(values)
    if dtype is not None:
        return array.astype(dtype)
    return array.astype(numpy.float32) if array.dtype == numpy.float64 else array


def _evaluate(text: str, generators: dict[str, Callable[..., Any]]) -> Any:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise InputError(f"cannot read input {text!r}: {error.msg}") from None
    for node in ast.walk(tree):
        allowed = isinstance(
            node,
            (
                *(
                    ast.Expression,
                    ast.Constant,
                    ast.Tuple,
                    ast.List,
                    ast.Dict,
                    ast.Load,
                    ast.UnaryOp,
                    ast.BinOp,
                ),
                *(ast.operator, ast.unaryop, ast.keyword, ast.Call, ast.Name),
            ),
        )
        called = not isinstance(node, ast.Call) or (
            isinstance(node.func, ast.Name) and node.func.id in generators
        )
        named = not isinstance(node, ast.Name) or node.id in generators
        if not (allowed and called and named):
            raise InputError(f"input {text!r} may use literals, arithmetic and {', '.join(generators)} only")
    try:
        return eval(compile(tree, "<input>", "eval"), {"__builtins__": {}}, dict(generators))
    except (TypeError, ValueError) as error:
        raise InputError(f"input {text!r}: {error}") from None
