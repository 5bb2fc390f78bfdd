"""Reads annotations as types: what the author says a parameter or attribute holds."""

from __future__ import annotations

import ast

from mindport.source.syntax import SYNTAX_ERRORS, parse_expression
from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage import package_model, python_model, torch_values
from mindport.usage.expressions import ExpressionWalker
from mindport.usage.types import (
    ANNOTATED,
    CALLABLE,
    INFERRED,
    NONE,
    OTHER,
    SET,
    STR,
    UNKNOWN,
    UNKNOWN_SEQUENCE,
    Tag,
    Type,
    dict_of,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
)
from mindport.usage.variables import ANNOTATION, Op, Value, Variable
from mindport.usage.walk_state import types_of

_WRAPPERS = frozenset(
    {"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "InitVar", "ReadOnly"}
)
_SEQUENCES = frozenset(
    [
        "List",
        "list",
        "Sequence",
        "Iterable",
        "Iterator",
        "Generator",
        "Collection",
        "deque",
        "Deque",
        "MutableSequence",
        "tuple_list",
        "Container",
    ]
)
_MAPPINGS = frozenset(
    ["Dict", "dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict", "ChainMap"]
)
_SETS = frozenset(["Set", "set", "FrozenSet", "frozenset", "AbstractSet", "MutableSet"])
_TYPING_PLAIN: dict[str, Type] = {
    "Callable": CALLABLE, "Hashable": OTHER, "Text": STR, "List": UNKNOWN_SEQUENCE, "Tuple": UNKNOWN_SEQUENCE,
    "Sequence": UNKNOWN_SEQUENCE, "Iterable": UNKNOWN_SEQUENCE, "Dict": dict_of(UNKNOWN, UNKNOWN), "Set": SET,
    "Mapping": dict_of(UNKNOWN, UNKNOWN), "Any": UNKNOWN, "NoReturn": NONE, "Self": UNKNOWN, "Type": CALLABLE,
    "Iterator": UNKNOWN_SEQUENCE, "OrderedDict": dict_of(UNKNOWN, UNKNOWN),
}  # fmt: skip
_ARRAY_LIBRARIES = frozenset({"jaxtyping", "torchtyping", "nptyping", "beartype"})


class AnnotationReader(ExpressionWalker):
    """The part of the walk that reads annotations."""

    def annotation(self, node: ast.expr) -> Value | None:
        """The type of what is annotated so; None where the annotation says nothing. Writes the uses of torch down."""
        context, self.context = self.context, ANNOTATION
        found = self.annotated(node)
        self.context = context
        return None if found is UNKNOWN else found

    def annotated(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            value = node.value
            if value is None:
                return NONE
            return self.quoted(node, value) if isinstance(value, str) else UNKNOWN
        if isinstance(node, ast.Subscript):
            return self.parametrized(node)
        if isinstance(node, ast.BinOp):
            return self.either([self.annotated(node.left), self.annotated(node.right)])
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.instance_of(self.evaluate(node))
        if isinstance(node, (ast.List, ast.Tuple)):
            for element in node.elts:
                self.annotated(element)
            return UNKNOWN
        self.evaluate(node)
        return UNKNOWN

    def quoted(self, node: ast.Constant, text: str) -> Value:
        """An annotation in quotes: positions are those inside the quotes where it stands on one line."""
        if len(text) > 300 or not text.strip():
            return UNKNOWN
        try:
            parsed = parse_expression(text.strip())
        except SYNTAX_ERRORS:
            return UNKNOWN
        for part in every_node(parsed):
            if isinstance(part, ast.expr):
                column = node.col_offset + 1
                part.lineno += node.lineno - 1
                part.end_lineno = (part.end_lineno or 1) + node.lineno - 1
                part.col_offset += column
                part.end_col_offset = (part.end_col_offset or 0) + column
        before = len(self.summary.sites)
        value = self.annotated(parsed)
        for made in self.summary.sites[before:]:
            made.quoted_in = node
        return value

    def either(self, values: list[Value]) -> Value:
        """A union of annotations: None is left out, and any tensor in it counts."""
        kept = [value for value in values if value is not NONE]
        if not kept:
            return NONE
        return kept[0] if len(kept) == 1 else self.joined(kept)

    def instance_of(self, value: Value) -> Value:
        """An instance of the class that an annotation names."""
        if isinstance(value, Variable):
            return self.variable(Op.ANNOTATION, value)
        return instance_of_type(value)

    def parametrized(self, node: ast.Subscript) -> Value:
        head = self.evaluate(node.value)
        name = head.name.rpartition(".")[2] if isinstance(head, Type) else last_name(node.value)
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if (
            isinstance(head, Type)
            and head.tag is Tag.EXTERNAL
            and head.name.partition(".")[0] in _ARRAY_LIBRARIES
        ):
            return self.annotated(inner[0])
        if name in _WRAPPERS:
            return self.annotated(inner[0])
        if name == "Union":
            return self.either([self.annotated(part) for part in inner])
        if name == "Literal":
            return STR if isinstance(inner[0], ast.Constant) and isinstance(inner[0].value, str) else OTHER
        if name in ("Tuple", "tuple"):
            if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis:
                return self.container("", [self.annotated(inner[0])])
            return self.container("tuple", [self.annotated(part) for part in inner])
        if name in _SEQUENCES:
            values = [self.annotated(part) for part in inner]
            return self.container("", values[:1])
        if name in _MAPPINGS:
            values = [self.annotated(part) for part in inner]
            held = values[-1]
            if isinstance(held, Variable):
                return self.variable(Op.DICT, None, "", [held])
            key = values[0]
            return dict_of(key if isinstance(key, Type) else UNKNOWN, held)
        values = [
            self.annotated(part) for part in inner if not isinstance(part, ast.Constant) or name != "Callable"
        ]
        if name in _SETS:
            return SET
        if name == "Callable":
            return CALLABLE
        if name in ("Type", "type"):
            inner_class = self.quiet_class(inner[0])
            return inner_class if inner_class is not None else CALLABLE
        return self.instance_of(head)

    def quiet_class(self, node: ast.expr) -> Type | None:
        """The torch class in `Type[...]`, less sure than one that is named: a subclass may come."""
        mark = len(self.summary.sites)
        value = self.evaluate(node)
        del self.summary.sites[mark:]
        if isinstance(value, Type) and value.tag is Tag.CLASS:
            return make(Tag.CLASS, value.name, level=INFERRED)
        return None

    def container(self, kind: str, values: list[Value]) -> Value:
        """A sequence of values, or a tuple of exactly these."""
        if any(isinstance(value, Variable) for value in values):
            return self.variable(Op.SEQUENCE, None, kind, values)
        types = types_of(values)
        return tuple_of(types) if kind else sequence_of(types[0])


def instance_of_tested(value: Type) -> Type:
    """What `isinstance` says of its first argument by its second one: a class, or a list or tuple of some."""
    listed = [one.parts if one.tag in (Tag.SEQUENCE, Tag.TUPLE) else (one,) for one in members(value)]
    classes = [one for some in listed for part in some for one in members(part)]
    return join_all(map(instance_of_type, classes)) if classes else UNKNOWN


def instance_of_type(value: Type) -> Type:
    """An instance of a class that is known."""
    tag = value.tag
    if tag is Tag.CLASS:
        if value.name in ("torch.device", "torch.dtype", "torch.Size"):
            return make(Tag.INSTANCE, value.name)
        return torch_values.instance_of(value.name, ANNOTATED)
    if tag is Tag.BUILTIN:
        return python_model.builtin_instance(value.name)
    if tag is Tag.EXTERNAL:
        root, _, last = value.name.rpartition(".")
        if root in ("typing", "typing_extensions", "collections.abc", "collections"):
            return _TYPING_PLAIN.get(last, UNKNOWN)
        return package_model.external_instance(value.name)
    if tag is Tag.PROJECT_CLASS:
        return make(Tag.PROJECT_INSTANCE, value.name, level=ANNOTATED)
    if tag is Tag.NONE:
        return NONE
    if tag in (Tag.TENSOR, Tag.INSTANCE, Tag.SEQUENCE, Tag.TUPLE, Tag.DICT):
        # `Tensors = Union[Tensor, List[Tensor]]` evaluates to what it names.
        return value
    return UNKNOWN
