"""Makes up arguments of a function from its annotations, its defaults and the names of its parameters.

What is made is plain data that both sides read: `("tensor", array)`, `("dtype", name)`, `("list", items)`,
`("tuple", items)`, `("value", value)`."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy

Made = tuple[str, Any]
Arguments = dict[str, Made]

_SHAPES = (
    (2, 3, 8, 8),
    (4, 5),
    (2, 4, 6),
    (1, 3, 3),
    (2, 3, 3),
    (6,),
    (3, 3),
    (2, 4),
    (1, 1, 6, 6),
    (2, 3),
    (5, 4),
    (2, 2, 4, 4),
    (2, 5, 2),
    (2, 5, 3),
    (4, 4),
    (2, 4, 4),
    (2, 3, 4, 8, 8),
    (2, 3, 16, 16),
    (),
    (1, 3, 32, 32),
)
# Parts of names, and the shapes that such tensors usually have; the first that fits is taken.
_SHAPES_BY_NAME: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("box|rois|proposals|xyxy|xywh|anchor", ((5, 4), (2, 5, 4))),
    ("edge_index", ((2, 8),)),
    ("quat", ((2, 4), (4,), (1, 4))),
    ("homog|rotmat|rotation_mat|matrix|^K$|^R$|^M$|camera_mat|_mat$|cov", ((2, 3, 3), (3, 3), (1, 3, 3))),
    ("point|pts|xyz|coord|vertices", ((2, 5, 3), (2, 5, 2), (5, 3), (5, 2))),
    ("axis_angle|rotvec|angle_axis|euler|trans|tvec", ((2, 3), (2, 3, 1))),
    ("image|img|frame|pixel", ((2, 3, 16, 16), (1, 1, 16, 16), (3, 16, 16))),
    ("kernel|filter", ((3, 3), (1, 3, 3), (3,), (1, 1, 3, 3))),
    ("wav|audio|signal|speech", ((2, 400), (400,), (1, 2, 400))),
)
_INTEGERS = re.compile(
    r"label|target|index|idx|indices|^ids|_ids|token|class|assign|^batch$|lengths?$|position", re.I
)
_TRUTHS = re.compile(r"mask|valid|flag|^is_|keep", re.I)
_NUMBERS_BY_NAME: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("dim|axis", (-1, 1, 0, 2)),
    ("eps|tol", (1e-6, 1e-3)),
    ("num_classes|n_classes|num_cls", (3, 5)),
    ("kernel_size|window|ksize", (3, 5, (3, 3))),
    ("size|shape|resolution", ((8, 8), 4, (2, 3), 8)),
    ("height|width|^h$|^w$", (8, 16, 4)),
    (
        "sigma|std|scale|temp|gamma|alpha|beta|lambda|weight|rate|prob|ratio|momentum|decay|factor",
        (0.5, 1.0, 2),
    ),
    (
        "groups|heads|num_|n_|^n$|^k$|top|max_|length|steps|channels|stride|level|order|window|nodes",
        (2, 4, 3, 1, 8),
    ),
)
LARGEST_INDEX = 3


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that a call has to pass or may pass by name."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in inspect.signature(function).parameters.values() if one.kind not in kinds]


def texts_compared(function: Callable[..., Any]) -> dict[str, list[str]]:
    """The literal texts that the code compares each name with."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return {}
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        names = [one.id for one in ast.walk(node.left) if isinstance(one, ast.Name)]
        texts = [
            one.value
            for other in node.comparators
            for one in ast.walk(other)
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        for name in names[:1]:
            found.setdefault(name, []).extend(texts)
    return found


def candidates(function: Callable[..., Any], seed: int) -> Iterator[Arguments]:
    """Ever other arguments, without end; the same ones for the same seed."""
    stream = numpy.random.default_rng(seed)
    parameters, texts = parameters_of(function), texts_compared(function)
    number = 0
    while True:
        maker = _Maker(stream, texts, _SHAPES[number % len(_SHAPES)], plain=number % 2 == 1)
        given = {}
        for parameter in parameters:
            if parameter.default is inspect.Parameter.empty:
                given[parameter.name] = maker.value(parameter.name, _annotation(parameter))
            elif number >= len(_SHAPES) and stream.random() < 0.25:
                other = maker.instead_of(parameter.name, _annotation(parameter), parameter.default)
                if other is not None:
                    given[parameter.name] = other
        yield given
        number += 1


def edges(arguments: Arguments, seed: int) -> Iterator[tuple[str, Arguments]]:
    """The same arguments with values at the edge, each with the name of the edge."""
    stream = numpy.random.default_rng(seed)
    for name, change in _EDGES:
        changed = {key: _changed(value, change, stream) for key, value in arguments.items()}
        if any(not _is_equal(changed[key], arguments[key]) for key in arguments):
            yield name, changed


def _annotation(parameter: inspect.Parameter) -> str:
    if parameter.annotation is inspect.Parameter.empty:
        return ""
    if isinstance(parameter.annotation, str):
        return parameter.annotation.strip("\"'").replace("torch.", "")
    if isinstance(parameter.annotation, type):
        return parameter.annotation.__name__
    return str(parameter.annotation).replace("typing.", "").replace("torch.", "")


class _Maker:
    """One set of arguments: tensors without a usual shape share one; `plain` leaves names out of account."""

    def __init__(
        self, stream: numpy.random.Generator, texts: dict[str, list[str]], shape: tuple[int, ...], plain: bool
    ) -> None:
        self.stream, self.texts, self.shape, self.plain = stream, texts, shape, plain
        self.integers = stream.random() < 0.15  # everything whole

    def value(self, name: str, annotation: str) -> Made:
        kind = annotation.replace(" ", "")
        if kind.startswith(("Optional[", "Union[")) or "|None" in kind:
            kind = re.sub(r"^(Optional|Union)\[|\|?None\|?", "", kind)
        outer = re.match(r"(List|list|Sequence|Iterable|Tuple|tuple)\[", kind)
        if outer and "Tensor" in kind:
            items = [self.tensor(name) for _ in range(int(self.stream.integers(2, 4)))]
            return ("tuple" if outer[1] in ("Tuple", "tuple") else "list", items)
        if outer:
            length = kind.count(",") + 1 if outer[1] in ("Tuple", "tuple") and "..." not in kind else 2
            whole = "float" not in kind
            items = [
                ("value", int(self.stream.integers(1, 5)) if whole else float(self.stream.random()))
                for _ in range(length)
            ]
            return ("tuple" if outer[1] in ("Tuple", "tuple") else "list", items)
        if "Tensor" in kind:
            return self.tensor(name)
        if kind.startswith("Literal["):
            options = ast.literal_eval(f"[{kind[8:-1]}]")
            return ("value", options[int(self.stream.integers(len(options)))])
        if kind.startswith("bool"):
            return ("value", bool(self.stream.random() < 0.5))
        if kind.startswith(("int", "float")):
            return ("value", self.number(name, kind))
        if kind.startswith("str"):
            return ("value", self.text(name))
        if kind.startswith("dtype"):
            return ("dtype", "float32")
        if kind.startswith("device") or name == "device":
            return ("value", "cpu")
        if kind:
            return self.tensor(name)
        return self.by_name(name)

    def instead_of(self, name: str, annotation: str, default: Any) -> Made | None:
        """Another value than a default, or None where nothing comes to mind."""
        if isinstance(default, bool):
            return ("value", not default)
        if isinstance(default, (int, float)):
            return (
                "value",
                type(default)(self.number(name, type(default).__name__))
                if self.stream.random() < 0.8
                else default,
            )
        if isinstance(default, str):
            return ("value", self.text(name)) if self.texts.get(name) or "Literal" in annotation else None
        if default is None and "Tensor" in annotation:
            return self.tensor(name)
        if default is None and annotation:
            made = self.value(name, annotation)
            return made if made[0] != "tensor" else None
        return None

    def by_name(self, name: str) -> Made:
        if self.texts.get(name):
            return ("value", self.text(name))
        if name == "dtype":
            return ("dtype", "float32")
        for part, _ in _NUMBERS_BY_NAME:
            if re.search(part, name) and self.stream.random() < 0.7:
                return ("value", self.number(name, ""))
        return self.tensor(name)

    def number(self, name: str, kind: str) -> Any:
        for part, numbers in _NUMBERS_BY_NAME:
            if re.search(part, name):
                chosen = numbers[int(self.stream.integers(len(numbers)))]
                if kind.startswith("int"):
                    return int(numpy.ceil(chosen)) if not isinstance(chosen, tuple) else int(chosen[0])
                if kind.startswith("float"):
                    return float(chosen) if not isinstance(chosen, tuple) else 0.5
                return chosen
        return (
            float(numpy.round(self.stream.random(), 2))
            if kind.startswith("float")
            else int(self.stream.integers(1, 6))
        )

    def text(self, name: str) -> str:
        texts = self.texts.get(name) or ["mean", "sum", "none", "bilinear", "constant", "reflect"]
        return texts[int(self.stream.integers(len(texts)))]

    def tensor(self, name: str) -> Made:
        shape = self.shape
        if not self.plain:
            for part, shapes in _SHAPES_BY_NAME:
                if re.search(part, name):
                    shape = shapes[int(self.stream.integers(len(shapes)))]
                    break
            else:
                if _INTEGERS.search(name) and self.stream.random() < 0.5:
                    shape = shape[:1]
        if _TRUTHS.search(name) and self.stream.random() < 0.6:
            return ("tensor", self.stream.random(shape) < 0.6)
        if self.integers or (_INTEGERS.search(name) and self.stream.random() < 0.6):
            return ("tensor", self.stream.integers(0, LARGEST_INDEX, shape))
        if "box" in name or self.stream.random() < 0.5:
            values = self.stream.random(shape)  # from 0 to 1: colours, probabilities
            if re.search("box|rois|xyxy", name) and shape[-1] == 4:
                values[..., 2:] += values[..., :2]
        else:
            values = self.stream.standard_normal(shape)
        return ("tensor", numpy.asarray(values, numpy.float32))


def _changed(
    made: Made, change: Callable[[Any, numpy.random.Generator], Any], stream: numpy.random.Generator
) -> Made:
    kind, value = made
    if kind in ("list", "tuple"):
        return (kind, [_changed(item, change, stream) for item in value])
    return (kind, change(value, stream)) if kind == "tensor" else made


def _is_equal(one: Made, other: Made) -> bool:
    if one[0] in ("list", "tuple"):
        return all(map(_is_equal, one[1], other[1]))
    if one[0] == "tensor":
        return (
            one[1].shape == other[1].shape
            and one[1].dtype == other[1].dtype
            and bool(numpy.array_equal(one[1], other[1]))
        )
    return True


def _somewhere(*values: float) -> Callable[[Any, numpy.random.Generator], Any]:
    def change(array: Any, stream: numpy.random.Generator) -> Any:
        if array.dtype.kind != "f" or array.size == 0:
            return array
        array = array.copy()
        for value in values:
            array.flat[int(stream.integers(array.size))] = value
        return array

    return change


def _ties(array: Any, stream: numpy.random.Generator) -> Any:
    return numpy.round(array).astype(array.dtype) if array.dtype.kind == "f" else array


def _zeros(array: Any, stream: numpy.random.Generator) -> Any:
    return numpy.zeros_like(array) if array.dtype.kind == "f" else array


def _large(array: Any, stream: numpy.random.Generator) -> Any:
    return array * numpy.float32(200) if array.dtype.kind == "f" else array


def _wide(array: Any, stream: numpy.random.Generator) -> Any:
    return array.astype(numpy.float64) if array.dtype == numpy.float32 else array


def _one(array: Any, stream: numpy.random.Generator) -> Any:
    return array[:1] if array.ndim else array


def _none(array: Any, stream: numpy.random.Generator) -> Any:
    return array[:0] if array.ndim else array


_EDGES: tuple[tuple[str, Callable[[Any, numpy.random.Generator], Any]], ...] = (
    ("ties", _ties),
    ("zeros", _zeros),
    ("0 and 1 among them", _somewhere(0.0, 1.0, -1.0)),
    ("large", _large),
    ("float64", _wide),
    ("one row", _one),
    ("no row", _none),
    ("infinite", _somewhere(float("inf"), float("-inf"))),
    ("NaN", _somewhere(float("nan"))),
)
EDGES = tuple(name for name, _ in _EDGES)
