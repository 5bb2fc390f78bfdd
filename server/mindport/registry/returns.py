"""What a call or an attribute gives, in the small closed vocabulary that type inference needs."""

from __future__ import annotations

import ast
import enum

import msgspec


class ReturnKind(enum.Enum):
    """The kind of what comes back."""

    TENSOR = "tensor"
    TUPLE = "tuple"  # of known length: `items`, and `fields` where it is a named tuple
    SEQUENCE = "sequence"  # list, tuple or iterable of any length: items[0] is the element
    MAPPING = "mapping"  # items: key and value
    SIZE = "size"  # torch.Size
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    NUMBER = "number"
    STR = "str"
    NONE = "none"
    DTYPE = "dtype"
    DEVICE = "device"
    MODULE = "module"  # some nn.Module
    SELF = "self"  # the receiver itself, or one of its class
    INSTANCE = "instance"  # of the torch class `name`
    NDARRAY = "ndarray"
    CALLABLE = "callable"
    OTHER = "other"  # known, and none of these
    UNKNOWN = "unknown"


class Returns(msgspec.Struct, frozen=True, array_like=True):
    """What comes back. `name` is the torch class of an INSTANCE; `optional`: None may come instead."""

    kind: ReturnKind
    name: str = ""
    items: tuple[Returns, ...] = ()
    fields: tuple[str, ...] = ()
    optional: bool = False


UNKNOWN = Returns(ReturnKind.UNKNOWN)
TENSOR = Returns(ReturnKind.TENSOR)

_PLAIN = {
    "Tensor": ReturnKind.TENSOR,
    "Parameter": ReturnKind.TENSOR,
    "FloatTensor": ReturnKind.TENSOR,
    "LongTensor": ReturnKind.TENSOR,
    "int": ReturnKind.INT,
    "SymInt": ReturnKind.INT,
    "float": ReturnKind.FLOAT,
    "bool": ReturnKind.BOOL,
    "SymBool": ReturnKind.BOOL,
    "complex": ReturnKind.NUMBER,
    "Number": ReturnKind.NUMBER,
    "number": ReturnKind.NUMBER,
    "str": ReturnKind.STR,
    "bytes": ReturnKind.OTHER,
    "None": ReturnKind.NONE,
    "dtype": ReturnKind.DTYPE,
    "device": ReturnKind.DEVICE,
    "Size": ReturnKind.SIZE,
    "ndarray": ReturnKind.NDARRAY,
    "Callable": ReturnKind.CALLABLE,
    "Module": ReturnKind.MODULE,
    "Self": ReturnKind.SELF,
    "T": ReturnKind.SELF,
    "ModuleSelf": ReturnKind.SELF,
}
_SEQUENCES = frozenset(
    ("list", "List", "Sequence", "Iterable", "Iterator", "Generator", "Collection", "set", "Set", "frozenset")
)
_MAPPINGS = frozenset(("dict", "Dict", "Mapping", "OrderedDict", "MutableMapping", "defaultdict"))
_TUPLES = frozenset(("tuple", "Tuple"))
_NUMBERS = frozenset((ReturnKind.INT, ReturnKind.FLOAT, ReturnKind.BOOL, ReturnKind.NUMBER))
_OPAQUE = frozenset(("Any", "object", "_T", "T_co", "_T_co"))


def returns_of(node: ast.expr | None, fields: dict[str, tuple[str, ...]]) -> Returns:
    """The result an annotation describes; `fields` maps the names of named tuples to their fields."""
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return _constant(node, fields)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([returns_of(node.left, fields), returns_of(node.right, fields)])
    if isinstance(node, ast.Tuple):
        return Returns(ReturnKind.TUPLE, items=tuple(returns_of(item, fields) for item in node.elts))
    if isinstance(node, ast.Subscript):
        return _subscript(node, fields)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(ast.unparse(node), fields)
    return UNKNOWN


def parse_returns(text: str, fields: dict[str, tuple[str, ...]]) -> Returns:
    """The result an annotation's text describes; unknown if it is no expression."""
    try:
        return returns_of(ast.parse(text, mode="eval").body, fields) if text else UNKNOWN
    except SyntaxError:
        return UNKNOWN


def joined(results: list[Returns]) -> Returns:
    """What is known when any of `results` may come: the common one, else unknown."""
    unique = list(dict.fromkeys(results))
    return _union(unique) if unique else UNKNOWN


def _constant(node: ast.Constant, fields: dict[str, tuple[str, ...]]) -> Returns:
    if node.value is None:
        return Returns(ReturnKind.NONE)
    return parse_returns(node.value, fields) if isinstance(node.value, str) else UNKNOWN


def _named(dotted: str, fields: dict[str, tuple[str, ...]]) -> Returns:
    head, _, name = dotted.rpartition(".")
    if head.endswith("return_types"):
        names = fields.get(name, ())
        return Returns(ReturnKind.TUPLE, f"torch.return_types.{name}", (TENSOR,) * len(names), names)
    kind = _PLAIN.get(name)
    if kind is not None:
        return Returns(kind)
    if name in _OPAQUE or name.startswith("_"):
        return UNKNOWN
    if name in _SEQUENCES or name in _TUPLES:
        return Returns(ReturnKind.SEQUENCE, items=(UNKNOWN,))
    if name in _MAPPINGS:
        return Returns(ReturnKind.MAPPING, items=(UNKNOWN, UNKNOWN))
    return Returns(ReturnKind.INSTANCE, dotted)


def _subscript(node: ast.Subscript, fields: dict[str, tuple[str, ...]]) -> Returns:
    name = ast.unparse(node.value).rpartition(".")[2]
    inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _union([returns_of(inner[0], fields), Returns(ReturnKind.NONE)])
    if name == "Union":
        return _union([returns_of(item, fields) for item in inner])
    if name == "Literal":
        return _union(
            [
                Returns(_PLAIN.get(type(i.value).__name__, ReturnKind.NONE))
                for i in inner
                if isinstance(i, ast.Constant)
            ]
        )
    if name in ("Annotated", "Final", "ClassVar"):
        return returns_of(inner[0], fields)
    if name in _TUPLES:
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis:
            return Returns(ReturnKind.SEQUENCE, items=(returns_of(inner[0], fields),))
        return Returns(ReturnKind.TUPLE, items=tuple(returns_of(item, fields) for item in inner))
    if name in _SEQUENCES:
        return Returns(ReturnKind.SEQUENCE, items=(returns_of(inner[0], fields),))
    if name in _MAPPINGS:
        return Returns(ReturnKind.MAPPING, items=tuple(returns_of(item, fields) for item in inner[:2]))
    if name in ("TypeIs", "TypeGuard"):
        return Returns(ReturnKind.BOOL)
    if name == "Callable":
        return Returns(ReturnKind.CALLABLE)
    if name in ("type", "Type"):
        return Returns(ReturnKind.OTHER)
    return _named(ast.unparse(node.value), fields)


def _union(results: list[Returns]) -> Returns:
    optional = any(result.kind is ReturnKind.NONE or result.optional for result in results)
    rest = [result for result in results if result.kind is not ReturnKind.NONE]
    if not rest:
        return Returns(ReturnKind.NONE)
    first = rest[0]
    bare = Returns(first.kind, first.name, first.items, first.fields)
    if all(Returns(r.kind, r.name, r.items, r.fields) == bare for r in rest):
        found = bare
    elif all(result.kind in _NUMBERS for result in rest):
        found = Returns(ReturnKind.NUMBER)
    else:
        return UNKNOWN
    return Returns(found.kind, found.name, found.items, found.fields, optional)
