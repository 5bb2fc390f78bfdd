"""The closed set of argument conversions that a mapping may name: source text of a value in, source text out.

A converter answers None where it cannot say what to write; the call then has no fix. Numbers are computed
with `decimal`, so `1 - 0.1` is written `0.9`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation

from mindport.model.language import later
from mindport.source.syntax import SYNTAX_ERRORS, parse_expression

Converter = Callable[[str, str], "str | None"]
"""Takes the source text and the kind of the value (a `usage.Kind` value); gives the new source text."""


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace("_", ""))
    except InvalidOperation:
        return None


def _elements(text: str) -> list[str] | None:
    """The element texts of a literal tuple or list without stars; None for anything else."""
    try:
        node = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return None
    if not isinstance(node, (ast.Tuple, ast.List)) or any(
        isinstance(item, ast.Starred) for item in node.elts
    ):
        return None
    source = text.strip()
    return [ast.get_source_segment(source, item) or "" for item in node.elts]


def is_atom(text: str) -> bool:
    """Whether `text` binds tighter than any operator, so that it may stand anywhere without parentheses."""
    stripped = text.strip()
    try:
        node = parse_expression(f"({stripped}\n)")
    except SYNTAX_ERRORS:
        return False
    if isinstance(
        node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp)
    ):
        return True
    if isinstance(node, ast.Constant):
        # `1.shape` is no attribute access, and adjacent strings are joined by what follows.
        return not isinstance(node.value, (str, bytes)) or stripped.count(stripped[-1]) <= 2
    return stripped.startswith("(") and _closes_at_end(stripped)


def _closes_at_end(text: str) -> bool:
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return index == len(text) - 1
    return False


def parenthesised(text: str) -> str:
    """`text`, in parentheses unless it is an atom."""
    return text if is_atom(text) else f"({text})"


def _one_minus(text: str, kind: str) -> str | None:
    number = _number(text)
    if number is not None:
        return str(1 - number)
    return f"1 - {parenthesised(text)}"


def _negate(text: str, kind: str) -> str | None:
    if _number(text) is not None:
        return text[1:] if text.startswith("-") else f"-{text}"
    return f"-{parenthesised(text)}"


def _not(text: str, kind: str) -> str | None:
    if text in ("True", "False"):
        return "False" if text == "True" else "True"
    return f"not {parenthesised(text)}"


def _mean_or_sum(text: str, kind: str) -> str | None:
    """What the former `size_average` said; None meant True."""
    if text in ("True", "False"):
        return "'mean'" if text == "True" else "'sum'"
    return f"'mean' if {parenthesised(text)} in (None, True) else 'sum'"


def _pair_to_quad(text: str, kind: str) -> str | None:
    """`(height, width)` to `(top, bottom, left, right)`; one number serves all four sides as it is."""
    if kind == "int":
        return text
    elements = _elements(text)
    if elements is None or len(elements) not in (1, 2):
        return None
    height, width = elements[0], elements[-1]
    return f"({height}, {height}, {width}, {width})"


def _triple_to_six(text: str, kind: str) -> str | None:
    """`(depth, height, width)` to both sides of each; one number serves all as it is."""
    if kind == "int":
        return text
    elements = _elements(text)
    if elements is None or len(elements) not in (1, 3):
        return None
    triple = elements * 3 if len(elements) == 1 else elements
    return "(" + ", ".join(f"{side}, {side}" for side in triple) + ")"


def _quad_if_pair(text: str, kind: str) -> str | None:
    return text if _elements(text) is None else _pair_to_quad(text, kind)


def _six_if_triple(text: str, kind: str) -> str | None:
    return text if _elements(text) is None else _triple_to_six(text, kind)


def _one_axis(text: str, kind: str) -> str | None:
    """A single size in a tuple; what is known to be a sequence, or to have several elements, is not one size."""
    elements = _elements(text)
    if elements is not None:
        return text if len(elements) == 1 else None
    return None if kind == "sequence" else f"({text},)"


def _to_tuple(text: str, kind: str) -> str | None:
    if kind == "int":
        return f"({text},)"
    elements = _elements(text)
    if elements is None:
        return f"tuple({text})" if kind == "sequence" else None
    return f"({elements[0]},)" if len(elements) == 1 else f"({', '.join(elements)})"


def _to_list(text: str, kind: str) -> str | None:
    if kind == "int":
        return f"[{text}]"
    elements = _elements(text)
    if elements is None:
        return f"list({text})" if kind == "sequence" else None
    return f"[{', '.join(elements)}]"


def _first(text: str, kind: str) -> str | None:
    """The one value of a number or of a literal whose elements are all the same text."""
    if kind in ("int", "float"):
        return text
    elements = _elements(text)
    return elements[0] if elements and len(set(elements)) == 1 else None


def _pair(text: str, kind: str) -> str | None:
    if kind in ("int", "float"):
        return f"({text}, {text})"
    return text if kind == "sequence" or _elements(text) is not None else None


def _to_float(text: str, kind: str) -> str | None:
    if kind == "float":
        return text
    if kind == "int" and text.lstrip("-").isdigit():
        return f"{text}.0"
    return f"float({text})" if kind in ("int", "number", "bool") else None


def _float_literal(text: str, kind: str) -> str | None:
    if text.removeprefix("-").isdigit():
        return f"{text}.0"
    return f"float({text})" if kind in ("int", "bool", "number") else text


def _list_if_tuple(text: str, kind: str) -> str | None:
    elements = _elements(text)
    if elements is not None:
        return text if text.strip().startswith("[") else f"[{', '.join(elements)}]"
    try:
        node = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return text
    # `parts.values()`, `reversed(layers)`: seldom is what a call gives a list.
    if isinstance(node, ast.Call) and ast.unparse(node.func) not in ("list", "sorted"):
        return f"list({text})"
    return text


def _list_if_range(text: str, kind: str) -> str | None:
    is_range = text.lstrip().startswith("range(") and is_atom(text.strip())
    return f"list({text.strip()})" if is_range else text


def _tuple_if_list(text: str, kind: str) -> str | None:
    elements = _elements(text)
    if elements is None:
        # A shape is a tuple. Of other sequences nobody sees whether they are lists.
        is_unsure = kind == "sequence" and not text.rstrip().endswith(".shape")
        return _as_tuple(text, kind) if is_unsure else text
    if not text.strip().startswith("["):
        return text
    return f"({', '.join(elements)}{',' if len(elements) == 1 else ''})"


def _as_tuple(text: str, kind: str) -> str | None:
    stripped = text.strip()
    if _elements(stripped) is not None:
        return _tuple_if_list(stripped, kind)
    try:
        node = parse_expression(stripped)
    except SYNTAX_ERRORS:
        return None
    is_one = isinstance(node, ast.Tuple) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tuple"
    )
    return stripped if is_one else f"tuple({stripped})"


def _int_if_numpy(text: str, kind: str) -> str | None:
    try:
        tree = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return text
    if kind in ("ndarray", "number"):
        return f"int({text})"
    match tree:
        case ast.List(elts=[one]) | ast.Tuple(elts=[one]) if not isinstance(one, ast.Starred):
            return ast.get_source_segment(text.strip(), one)
    return f"int({text})" if kind not in ("int", "bool") and _may_be_numpy(tree) else text


def _may_be_numpy(node: ast.expr) -> bool:
    """Whether a number is a call of NumPy's, or one of Python's that gives what kind of number it is given, or
    arithmetic with such a one."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _may_be_numpy(left) or _may_be_numpy(right)
        case ast.Call(func=ast.Name(id=name), args=[_, *_]):
            return name in ("sum", "max", "min")
        case ast.Call(func=function):
            return ast.unparse(function).startswith(("np.", "numpy."))
    return False


def _upper(text: str, kind: str) -> str | None:
    return text.upper() if kind == "str" and text[:1] in "'\"" and text[:3] not in ("'''", '"""') else None


_OF_A_NETWORK = ("parameters", "trainable_params", "named_parameters", "children", "modules")


def _named_apart(text: str, kind: str) -> str | None:
    try:
        owners = list(_networks(parse_expression(text.strip())))
    except SYNTAX_ERRORS:
        return None
    is_one = len(set(owners)) == 1 and "" not in owners
    return text if is_one else f"torch_named_apart({text})"


def _networks(node: ast.expr) -> Iterator[str]:
    """The networks that parameters are of, the outermost that is named; empty for what may be of any."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _OF_A_NETWORK:
            yield _outermost(owner)
        case ast.Call(func=ast.Name(id="filter"), args=[_, parameters]):
            yield from _networks(parameters)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "iter"), args=[parameters]):
            yield from _networks(parameters)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            yield from _networks(left)
            yield from _networks(right)
        case ast.GeneratorExp(generators=[one]) | ast.ListComp(generators=[one]):
            yield from _networks(one.iter)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            for element in elements:
                if isinstance(element, ast.Attribute):
                    yield _outermost(element.value)
                else:
                    yield from _networks(element.value if isinstance(element, ast.Starred) else element)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "params":
                    yield from _networks(value)
        case _:
            yield ""


def _outermost(owner: ast.expr) -> str:
    """`net` of `net.body.head`, where all names differ; what `self` holds may be networks of their own."""
    while isinstance(owner, ast.Attribute):
        if isinstance(owner.value, ast.Name) and owner.value.id == "self":
            break
        owner = owner.value
    return ast.unparse(owner)


# Other looks at a part, or in another order, of the same memory; and what leaves it as it is.
_STRIDED = frozenset(
    {
        "t", "T", "mT", "H", "mH", "transpose", "swapaxes", "swapdims", "permute", "movedim", "moveaxis", "expand",
        "expand_as", "broadcast_to", "narrow", "select", "diagonal",
    }
)  # fmt: skip
_LOOKED_THROUGH = frozenset(
    {"data", "detach", "view", "squeeze", "unsqueeze", "requires_grad_", "to", "cuda", "cpu", "float"}
)


def _copy_if_view(text: str, kind: str) -> str | None:
    try:
        node = parse_expression(text.strip())
    except SYNTAX_ERRORS:
        return text
    return f"{parenthesised(text.strip())}.copy()" if _is_strided(node, kind) else text


def _is_strided(node: ast.expr, kind: str) -> bool:
    """Whether a tensor is a part of another one's memory, or has it in another order."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Attribute(attr=name) if name in _STRIDED:
            return True
        case ast.Call(func=ast.Attribute(value=value, attr=name)) | ast.Attribute(value=value, attr=name) if (
            name in _LOOKED_THROUGH
        ):
            return _is_strided(value, kind)
        case ast.Subscript(value=value, slice=index):
            keys = index.elts if isinstance(index, ast.Tuple) else [index]
            return any(_is_part(key, kind) for key in keys) or _is_strided(value, kind)
    return False


def _is_part(key: ast.expr, kind: str) -> bool:
    """Whether a key takes a part of an axis; of what may be a list, only a slice tells."""
    match key:
        case ast.Slice(lower=None, upper=None, step=None):
            return False
        case ast.Slice():
            return True
        case ast.Constant(value=value):
            return kind == "tensor" and isinstance(value, int) and not isinstance(value, bool)
    return kind == "tensor"


CONVERTERS: dict[str, tuple[str, Converter]] = {
    "one_minus": (later("1 - value (momentum, keep_prob): `0.1` -> `0.9`"), _one_minus),
    "negate": (later("-value: `2` -> `-2`"), _negate),
    "not": (later("the opposite truth value: `True` -> `False`"), _not),
    "mean_or_sum": (
        later(
            "the former `size_average`: `False` -> `'sum'`, `mean` -> `'mean' if mean in (None, True) else 'sum'`"
        ),
        _mean_or_sum,
    ),
    "pair_to_quad": (
        later("2-d padding to four sides: `(1, 2)` -> `(1, 1, 2, 2)`; an int stays"),
        _pair_to_quad,
    ),
    "triple_to_six": (
        later("3-d padding to six sides: `(1, 2, 3)` -> `(1, 1, 2, 2, 3, 3)`; an int stays"),
        _triple_to_six,
    ),
    "quad_if_pair": (later("a written pair as `pair_to_quad`; anything else stays"), _quad_if_pair),
    "six_if_triple": (later("a written triple as `triple_to_six`; anything else stays"), _six_if_triple),
    "one_axis": (
        later("one size to a tuple: `8` -> `(8,)`; `(8,)` stays, several sizes have none"),
        _one_axis,
    ),
    "to_tuple": (later("an int or list to a tuple: `2` -> `(2,)`, `[1, 2]` -> `(1, 2)`"), _to_tuple),
    "to_list": (later("an int or tuple to a list: `2` -> `[2]`, `(1, 2)` -> `[1, 2]`"), _to_list),
    "first": (later("the only value of equal ones: `(2, 2)` -> `2`; an int stays"), _first),
    "pair": (later("a number to a pair: `3` -> `(3, 3)`; a sequence stays"), _pair),
    "to_float": (later("an int to a float: `1` -> `1.0`"), _to_float),
    "float_literal": (
        later(
            "a whole number to a float: `1` -> `1.0`, `drop` -> `float(drop)` where that is a number; anything else "
            "stays"
        ),
        _float_literal,
    ),
    "list_if_tuple": (
        later(
            "a written tuple to a list: `(1, 2)` -> `[1, 2]`; what a call gives, too: `reversed(x)` -> "
            "`list(reversed(x))`; anything else stays"
        ),
        _list_if_tuple,
    ),
    "list_if_range": (
        later("a range to a list: `range(3)` -> `list(range(3))`; anything else stays"),
        _list_if_range,
    ),
    "tuple_if_list": (
        later(
            "a list to a tuple: `[1, 2]` -> `(1, 2)`, `dims` -> `tuple(dims)` where that is a sequence; anything else "
            "stays"
        ),
        _tuple_if_list,
    ),
    "as_tuple": (
        later("a sequence to a tuple: `[0, 1]` -> `(0, 1)`, `dims` -> `tuple(dims)`; a written tuple stays"),
        _as_tuple,
    ),
    "int_if_numpy": (
        later(
            "a number that may be NumPy's to an int: `np.prod(s)` -> `int(np.prod(s))`, `sum(s)` -> `int(sum(s))`, "
            "`[n]` -> `n`; anything else stays"
        ),
        _int_if_numpy,
    ),
    "named_apart": (
        later(
            "parameters that may be of several networks, whose names MindSpore's optimizers want to differ: "
            "`[*a.parameters(), *b.parameters()]` -> `torch_named_apart([...])`; those of one network stay"
        ),
        _named_apart,
    ),
    "copy_if_view": (
        later(
            "a tensor that is a part of another one, or has its memory in another order, to one with memory of its "
            "own: `w[1:]` -> `w[1:].copy()`, `w.t()` -> `w.t().copy()`; anything else stays"
        ),
        _copy_if_view,
    ),
    "upper": (later("a literal string in capitals: `'sum'` -> `'SUM'`"), _upper),
}


def convert(name: str, text: str, kind: str) -> str | None:
    """Apply the converter `name` to a value; None where it does not know what to write."""
    return CONVERTERS[name][1](text, kind)
