"""Binds a call of torch to the operator of ATen behind it: which arguments are tensors, and how C++ writes the rest."""

from __future__ import annotations

import ast
import copy
import itertools
import json
from collections.abc import Iterator, Sequence

import msgspec

from mindport.registry.operators import OperatorParameter, OperatorSchema, operator_schemas
from mindport.registry.torch import torch_facts
from mindport.source.trees import every_node

_METHODS = "torch.Tensor."
_DTYPES = {
    "torch.float32": "at::kFloat",
    "torch.float": "at::kFloat",
    "torch.float64": "at::kDouble",
    "torch.double": "at::kDouble",
    "torch.float16": "at::kHalf",
    "torch.half": "at::kHalf",
    "torch.int64": "at::kLong",
    "torch.long": "at::kLong",
    "torch.int32": "at::kInt",
    "torch.int": "at::kInt",
    "torch.bool": "at::kBool",
}


class Unsuitable(Exception):
    """A call that no custom operator can be written for; the text says why."""


class OperatorCall(msgspec.Struct, frozen=True):
    """A call of ATen. `tensors` names its inputs; `arguments` are those of C++, where `inputs[0]` is the first of them;
    `original` is the call of torch in terms of the same names; `outputs` counts the tensors that come out."""

    api: str
    operator: str
    tensors: tuple[str, ...]
    arguments: tuple[str, ...]
    original: str
    outputs: int

    @property
    def class_name(self) -> str:
        """The operator as a class of Python: `LinalgLdlFactor`."""
        return "".join(word.capitalize() for word in self.operator.split("_") if word)


def operator_call(api: str, call: ast.Call | None) -> OperatorCall:
    """What a call of a torch function or method becomes; without a call all that it requires are tensors. Raises
    Unsuitable."""
    schemas = operator_schemas(api)
    if not schemas:
        raise Unsuitable(
            f"{api} is no operator of ATen: torch computes it by others, or it is not a function of tensors"
        )
    refusal: Unsuitable | None = None
    for schema, names in itertools.product(schemas, _names_of_parameters(api)):
        try:
            return _Binder(api, call, schema, names).bound()
        except Unsuitable as unsuitable:
            refusal = refusal or unsuitable
    assert refusal is not None
    raise refusal


def _names_of_parameters(api: str) -> Iterator[list[str]]:
    """What torch calls the parameters, for each way to call it; nothing where it does not say, as schemas do."""
    receiver = ["self"] if api.startswith(_METHODS) else []
    for signature in torch_facts().signatures(api):
        yield [*receiver, *(one.name for one in signature.parameters)]
    yield []


class _Binder:
    """Binds one call to one schema. `own` are torch's names of the parameters."""

    def __init__(self, api: str, call: ast.Call | None, schema: OperatorSchema, own: Sequence[str]) -> None:
        self._api = api
        self._schema = schema
        self._tensors: list[str] = []
        self._own = own or [one.name for one in schema.parameters]
        self._call = copy.deepcopy(call) if call is not None else self._plain_call()

    def bound(self) -> OperatorCall:
        """The call. Raises Unsuitable."""
        if any(one != "Tensor" for one in self._schema.returns):
            raise Unsuitable(f"{self._api} gives no fixed number of tensors")
        passed = self._passed()
        last = max((at for at, one in enumerate(self._schema.parameters) if one.name in passed), default=-1)
        arguments = []
        for at, parameter in enumerate(self._schema.parameters):
            if parameter.name in passed:
                arguments.append(self._written(parameter, passed[parameter.name]))
            elif parameter.default is None:
                raise Unsuitable(f"{self._api} needs `{parameter.name}`")
            elif at < last:
                arguments.append(self._written(parameter, _default(parameter.default)))
        if not self._tensors:
            raise Unsuitable(f"no tensor goes into this call of {self._api}")
        return OperatorCall(
            self._api,
            self._schema.operator,
            tuple(self._tensors),
            tuple(arguments),
            ast.unparse(self._call),
            len(self._schema.returns),
        )

    def _plain_call(self) -> ast.Call:
        required = [one for one in self._schema.parameters if one.default is None]
        for one in required:
            if one.type != "Tensor":
                raise Unsuitable(f"write the call with its arguments: {self._api} needs `{one.name}`")
        words = ", ".join(f"tensor_{number}" for number in range(len(required)))
        text = f"{self._api}({words})"
        if self._api.startswith(_METHODS):
            first, _, others = words.partition(", ")
            text = f"{first}.{self._api.removeprefix(_METHODS)}({others})"
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        return call

    def _passed(self) -> dict[str, ast.expr]:
        """Parameter of the schema -> argument. Tensors are replaced by their names in the call."""
        call = self._call
        found: dict[str, ast.expr] = {}
        positional = list(call.args)
        if self._api.startswith(_METHODS):
            assert isinstance(call.func, ast.Attribute)
            positional.insert(0, call.func.value)
        else:
            call.func = ast.parse(self._api, mode="eval").body
        if len(positional) > len(self._own):
            raise Unsuitable(f"{self._api} is given more arguments than it takes")
        pairs = [*zip(self._own, positional, strict=False)]
        pairs += [(one.arg or "", one.value) for one in call.keywords]
        for own, value in pairs:
            if not own or isinstance(value, ast.Starred):
                raise Unsuitable("the arguments of this call cannot be seen")
            name = self._schema_name(own)
            if name:
                found[name] = value
            elif not (isinstance(value, ast.Constant) and value.value is None):
                raise Unsuitable(f"`{own}` is no parameter of at::{self._schema.operator}")
        return found

    def _schema_name(self, own: str) -> str:
        """The schema's name of a parameter; empty where it has none."""
        names = [one.name for one in self._schema.parameters]
        if own in names:
            return own
        return names[0] if own == self._own[0] and names[0] == "self" else ""

    def _written(self, parameter: OperatorParameter, value: ast.expr) -> str:
        is_none = isinstance(value, ast.Constant) and value.value is None
        if is_none and parameter.type.endswith("?"):
            return "std::nullopt"
        if not parameter.holds_tensors:
            return _literal(parameter, value)
        if parameter.type.rstrip("?") == "Tensor":
            return self._input(parameter.name, value)
        if parameter.type == "Tensor[]" and isinstance(value, (ast.List, ast.Tuple)) and value.elts:
            several = [self._input(f"{parameter.name}_{at}", one) for at, one in enumerate(value.elts)]
            return f"at::TensorList({{{', '.join(several)}}})"
        raise Unsuitable(f"`{parameter.name}` is not written as a list of tensors")

    def _input(self, name: str, value: ast.expr) -> str:
        if isinstance(value, (ast.Constant, ast.Starred, ast.List, ast.Tuple)):
            raise Unsuitable(f"`{name}` is no tensor")
        name = self._own[0] if name == "self" and self._own[0] != "self" else name
        name = "input" if name == "self" else name
        self._tensors.append(name)
        _replace(self._call, value, ast.Name(name))
        return f"inputs[{len(self._tensors) - 1}]"


def _replace(call: ast.Call, old: ast.expr, new: ast.expr) -> None:
    """Put another expression in the place of an argument."""
    for node in every_node(call):
        for field, value in ast.iter_fields(node):
            if value is old:
                setattr(node, field, new)
            elif isinstance(value, list):
                value[:] = [new if one is old else one for one in value]


def _default(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return ast.Constant(None)


def _literal(parameter: OperatorParameter, node: ast.expr) -> str:
    """An attribute as C++ writes it. Raises Unsuitable where its value cannot be read, or is of another type."""
    dtype = _DTYPES.get(ast.unparse(node))
    kind = parameter.type.rstrip("?")
    if kind == "ScalarType" and dtype is not None:
        return dtype
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        text = f"`{parameter.name}` must be a plain value: it is fixed in the operator's source"
        raise Unsuitable(text) from None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "bool" and isinstance(value, bool):
        return str(value).lower()
    if kind in ("int", "SymInt") and type(value) is int:
        return str(value)
    if kind == "float" and is_number:
        return repr(float(value))
    if kind == "Scalar" and is_number:
        return f"at::Scalar({value!r})"
    if kind == "str" and isinstance(value, str):
        return json.dumps(value)
    if kind.startswith(("int[", "SymInt[")):
        times = int(kind.partition("[")[2].removesuffix("]") or 1)
        numbers = [value] * times if type(value) is int else value
        if isinstance(numbers, (list, tuple)) and all(type(one) is int for one in numbers):
            return f"std::vector<int64_t>{{{', '.join(map(str, numbers))}}}"
    raise Unsuitable(f"`{parameter.name}` is no {parameter.type}")
