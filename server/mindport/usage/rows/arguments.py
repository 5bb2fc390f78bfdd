"""The arguments of a call as they are written: their kinds, and the values of literals."""

from __future__ import annotations

import ast
from typing import Any

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.written_names import dotted_name, last_name
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Argument, Form, Kind, LiteralValue, TorchName
from mindport.usage.header import ImportTable
from mindport.usage.held_tensors import holds_tensors
from mindport.usage.resolve import Resolver
from mindport.usage.rows.places import Places
from mindport.usage.telling_names import by_name
from mindport.usage.types import ARRAY, DEQUE, DEVICE, ITERATOR, NUMERIC, SEEN, Tag
from mindport.usage.variables import Op, Site, Value, Variable

_TAKE_DTYPES = ("to", "type")
_PYTHON_DTYPES = {
    "float": "torch.float64",
    "int": "torch.int64",
    "bool": "torch.bool",
    "complex": "torch.complex128",
}
_KINDS: dict[Tag, Kind] = {
    Tag.TENSOR: Kind.TENSOR, Tag.NONE: Kind.NONE, Tag.BOOL: Kind.BOOL, Tag.INT: Kind.INT, Tag.FLOAT: Kind.FLOAT,
    Tag.NUMBER: Kind.NUMBER, Tag.STR: Kind.STR, Tag.SEQUENCE: Kind.SEQUENCE, Tag.TUPLE: Kind.SEQUENCE,
    Tag.NDARRAY: Kind.NDARRAY, Tag.CLASS: Kind.CALLABLE,
    Tag.FUNCTION: Kind.CALLABLE, Tag.METHOD: Kind.CALLABLE, Tag.CALLABLE: Kind.CALLABLE, Tag.BUILTIN: Kind.CALLABLE,
    Tag.PROJECT_CLASS: Kind.CALLABLE, Tag.PROJECT_FUNCTION: Kind.CALLABLE, Tag.BOUND: Kind.CALLABLE,
    Tag.UNKNOWN: Kind.UNKNOWN, Tag.BOTTOM: Kind.UNKNOWN, Tag.UNION: Kind.UNKNOWN,
    Tag.LIBRARY_VALUE: Kind.UNKNOWN, Tag.EXTERNAL: Kind.UNKNOWN,
}  # fmt: skip
_INSTANCE_KINDS = {"torch.dtype": Kind.DTYPE, "torch.device": Kind.DEVICE, "torch.Size": Kind.SEQUENCE}


class CallArguments(Places):
    """Reads the arguments of calls in one file."""

    def __init__(self, resolver: Resolver, index: LineIndex, table: ImportTable) -> None:
        super().__init__(index)
        self.resolver = resolver
        self.table = table
        self.beside: list[ApiUse] = []  # further rows of the present place

    def arguments(self, site: Site) -> tuple[Argument, ...]:
        """The arguments of the call, as written."""
        call = site.call
        if call is None or site.values is None:
            return ()
        values = site.values
        found = []
        for node in call.args:
            if isinstance(node, ast.Starred):
                found.append(Argument(self.span(node.value), star=1))
                continue
            kind, is_literal, value = self.argument_value(node, values[node])
            if site.name in _TAKE_DTYPES:
                kind, is_literal, value = self.python_dtype(node, values[node], site) or (
                    kind,
                    is_literal,
                    value,
                )
            held = holds_tensors(self.resolver.type_of(values[node]))
            found.append(Argument(self.span(node), None, None, 0, kind, is_literal, value, held))
        for keyword in call.keywords:
            node = keyword.value
            if keyword.arg is None:
                found.append(Argument(self.span(node), star=2))
                continue
            kind, is_literal, value = self.argument_value(node, values[node])
            if keyword.arg == "dtype":
                kind, is_literal, value = self.python_dtype(node, values[node], site) or (
                    kind,
                    is_literal,
                    value,
                )
            line, column = self.place(keyword.lineno, keyword.col_offset)
            keyword_span = Span(line, column, line, column + len(keyword.arg))
            held = holds_tensors(self.resolver.type_of(values[node]))
            found.append(
                Argument(self.span(node), keyword.arg, keyword_span, 0, kind, is_literal, value, held)
            )
        return tuple(found)

    def python_dtype(
        self, node: ast.expr, value: Value, site: Site
    ) -> tuple[Kind, bool, LiteralValue] | None:
        """A class of Python's where torch takes a dtype, `dtype=float`: it stands for one, and is a use of that."""
        kind = self.resolver.type_of(value)
        name = _PYTHON_DTYPES.get(kind.name) if kind.tag is Tag.BUILTIN else None
        if name is None:
            return None
        span = self.span(node)
        use = ApiUse(name, Form.VALUE, span, span, guarded=site.guarded, scope=site.scope)
        if all(one.span != span for one in self.beside):
            self.beside.append(use)
        return Kind.DTYPE, True, TorchName(name)

    def argument_value(self, node: ast.expr, value: Value) -> tuple[Kind, bool, LiteralValue]:
        """Kind of an argument, and its value where it is a literal or a name of torch."""
        kind = self.kind_of(value, last_name(node))
        if isinstance(node, ast.Constant):
            literal = node.value
            if literal is None or isinstance(literal, (bool, int, float, str)):
                return kind, True, literal
            return kind, False, None
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self.torch_name(node) or self.handed_name(value)
            return (kind, True, TorchName(name)) if name else (kind, False, None)
        if isinstance(node, (ast.Tuple, ast.List, ast.UnaryOp)):
            return kind, *self.literal(node)
        if isinstance(node, ast.GeneratorExp):
            return Kind.OTHER, False, None  # can be gone through once, and is no list
        return kind, False, None

    def literal(self, node: ast.expr, depth: int = 0) -> tuple[bool, LiteralValue]:
        if isinstance(node, ast.Constant):
            value = node.value
            return (
                (True, value)
                if value is None or isinstance(value, (bool, int, float, str))
                else (False, None)
            )
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
        ):
            number = node.operand.value
            if isinstance(number, (int, float)) and not isinstance(number, bool):
                return True, -number
        if isinstance(node, (ast.Tuple, ast.List)) and depth < 2:
            parts: list[Any] = []
            for element in node.elts:
                known, part = self.literal(element, depth + 1)
                if not known:
                    return False, None
                parts.append(part)
            return True, tuple(parts)
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self.torch_name(node)
            if name:
                return True, TorchName(name)
        return False, None

    def torch_name(self, node: ast.expr) -> str:
        """The canonical name where the expression is a torch name by the file's imports; else empty."""
        parts = dotted_name(node)
        if parts is None:
            return ""
        dotted = self.table.dotted.get(parts[0], "")
        if dotted.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return ""
        reference = torch_model.reference(".".join((dotted, *parts[1:])))
        return reference.name if reference.is_known else ""

    def handed_name(self, value: Value) -> str:
        """The canonical name of a value that is torch's, where `torch` or the value itself comes from another module of
        the project: `from common import *`; else empty."""
        if not isinstance(value, Variable):
            return ""
        if value.op is Op.GLOBAL:
            return self.constant(value.detail, value.name)
        module = self.resolver.type_of(value.base) if value.op is Op.ATTRIBUTE else None
        if module is None:
            return ""
        if module.tag is Tag.PROJECT_MODULE:
            return self.constant(module.name, value.name)
        reference = torch_model.reference(f"{module.name}.{value.name}")
        return reference.name if module.tag is Tag.TORCH_MODULE and reference.is_known else ""

    def constant(self, module: str, name: str) -> str:
        """The canonical name of a dtype or other value of torch that a module of the project hands on."""
        dotted = self.resolver.world.torch_name(module, name)
        if dotted.partition(".")[0] not in torch_model.TORCH_ROOTS:
            return ""
        reference = torch_model.reference(dotted)
        return reference.name if reference.is_known else ""

    def kind_of(self, value: Value, name: str = "") -> Kind:
        """What a value is that is written `name`, or as the attribute of that name."""
        kind = self.resolver.type_of(value)
        if kind.level == SEEN:
            return Kind.UNKNOWN  # `Argument.seen` tells
        if kind.tag is Tag.INSTANCE:
            known = _INSTANCE_KINDS.get(kind.name)
            if known is not None:
                return known
            if torch_model.is_module_class(kind.name):
                return Kind.MODULE
            return Kind.OPTIMIZER if torch_model.is_optimizer_class(kind.name) else Kind.OTHER
        if kind.tag is Tag.PROJECT_INSTANCE:
            return Kind.MODULE if self.resolver.is_module(kind) else Kind.OTHER
        if kind.tag is Tag.UNION:
            # What is a number here and NumPy's there is one of NumPy's numbers.
            kinds = {part.tag for part in kind.parts if part.tag is not Tag.NDARRAY or part is ARRAY}
            if all(part.tag is Tag.STR or part.name == DEVICE.name for part in kind.parts):
                return Kind.DEVICE  # by its name or as it is
            if all(part.tag in (Tag.STR, Tag.INT) or part.name == DEVICE.name for part in kind.parts):
                return Kind.DEVICE if by_name(name).name == DEVICE.name else Kind.UNKNOWN  # or by its number
            return Kind.NUMBER if kinds and kinds <= NUMERIC else Kind.UNKNOWN
        if kind.tag is Tag.TENSOR and kind.level == 0:
            return Kind.UNKNOWN
        if kind.name in (DEQUE.name, ITERATOR) and kind.tag is Tag.SEQUENCE:
            return Kind.UNKNOWN  # no list or tuple, which MindSpore asks for
        return _KINDS.get(kind.tag, Kind.OTHER)
