"""Makes the modules of a project without running it: an interpreter for what constructors do, that knows numbers,
texts, sequences and layers, and answers "unknown" for everything else. Module trees and parameter counts come of it."""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mindport.registry.torch import torch_facts
from mindport.usage.recipe.code import Code, Function, SourceFile, dotted, name_of
from mindport.usage.recipe.layers import CONTAINERS, layer_sizes
from mindport.usage.recipe.settings import defaults_of
from mindport.usage.recipe.values import Known, Values

_MOST_STEPS = 300_000  # for one module
_MOST_STEPS_IN_ALL = 1_000_000
_DEEPEST = 60
_LONGEST = 10_000


class _Unknown:
    """What is not known here; also what a call gives that is not followed."""


UNKNOWN = _Unknown()


class _GaveUp(Exception):
    """The budget is spent."""


class _Return(Exception):
    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Weight:
    """One parameter; the same object where weights are shared. `size` is None where it is not known."""

    def __init__(self, size: int | None) -> None:
        self.size = size


class Module:
    """A module that was made: its class, the modules and weights that it holds by name, its other attributes, and
    whether everything that it does to itself was understood."""

    def __init__(self, name: str, is_understood: bool = True, path: str = "") -> None:
        self.name = name
        self.path = path  # of the file that defines the class; empty for those of torch
        self.parts: dict[str, object] = {}
        self.attributes: dict[str, object] = {}
        self.is_understood = is_understood

    def modules(self) -> Iterator[tuple[str, Module]]:
        """The modules in it, those of lists under the list's name."""
        for name, part in self.parts.items():
            if isinstance(part, Module):
                yield name, part

    def count(self) -> int | None:
        """How many numbers it holds, shared ones once; None where that is not known."""
        total, seen, waiting = 0, set(), [self]
        while waiting:
            module = waiting.pop()
            if id(module) in seen:
                continue
            seen.add(id(module))
            if not module.is_understood:
                return None
            for part in module.parts.values():
                if isinstance(part, Module):
                    waiting.append(part)
                elif isinstance(part, Weight) and id(part) not in seen:
                    seen.add(id(part))
                    if part.size is None:
                        return None
                    total += part.size
        return total


class _ClassValue(msgspec.Struct, frozen=True):
    """A class of the project, seen from a file of this path, or of torch.nn by its name."""

    name: str
    is_torch: bool = False
    seen_from: str = ""


class _FunctionValue(msgspec.Struct, frozen=True):
    file: SourceFile
    node: Function | ast.Lambda
    scope: dict[str, object]


class _Super(msgspec.Struct, frozen=True):
    module: Module
    file: SourceFile
    node: ast.ClassDef


_BINARY: dict[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, group: item in group,
    ast.NotIn: lambda item, group: item not in group,
}
_BUILTINS: dict[str, Callable[..., object]] = {
    "int": int,
    "float": float,
    "round": round,
    "max": max,
    "min": min,
    "len": len,
    "abs": abs,
    "sum": sum,
    "bool": bool,
    "str": str,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "reversed": lambda items: list(reversed(items)),
    "zip": lambda *items: list(zip(*items, strict=False)),
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "math.sqrt": math.sqrt,
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.log": math.log,
    "math.log2": math.log2,
    "math.prod": math.prod,
    "np.prod": math.prod,
    "copy.deepcopy": copy.deepcopy,
    "deepcopy": copy.deepcopy,
}
_NEW_TENSORS = frozenset(
    f"torch.{name}" for name in ("zeros", "ones", "empty", "randn", "rand", "full", "Tensor", "FloatTensor")
)


# Methods of tensors whose result has as many numbers.
_SAME_SIZE = frozenset(
    (
        "div_",
        "mul_",
        "add_",
        "sub_",
        "fill_",
        "normal_",
        "uniform_",
        "zero_",
        "clone",
        "float",
        "half",
        "to",
        "div",
        "mul",
    )
)


class Builder:
    """Makes modules of one project. Never raises for what the code holds."""

    def __init__(self, code: Code, values: Values) -> None:
        self._values = values
        # Several files may define a class of the same name; each sees its own.
        self._classes: dict[str, list[tuple[SourceFile, ast.ClassDef]]] = {}
        for defined, file in code.module_classes.items():
            self._classes.setdefault(defined.name, []).append((file, defined))
        self._functions: dict[str, tuple[SourceFile, Function]] = {}
        for file in code.files:
            for node in file.tree.body:
                if isinstance(node, Function):
                    self._functions.setdefault(node.name, (file, node))
        # Classes that only hold settings, such as dataclasses: their fields.
        self._records: dict[str, tuple[SourceFile, list[ast.AnnAssign]]] = {}
        for file in code.files:
            for one in file.classes():
                fields = [item for item in one.body if isinstance(item, ast.AnnAssign)]
                if fields and one.name not in self._classes:
                    self._records.setdefault(one.name, (file, fields))
        self._apis: dict[str, dict[tuple[int, int], str]] = {}
        self._steps = 0
        self._all_steps = 0
        self._depth = 0

    def made_by(self, file: SourceFile, call: ast.Call) -> Module | None:
        """The module that a call makes, with the arguments as far as they are known; None for what is no module."""
        self._steps = self._depth = 0
        try:
            made = self._eval(file, call, self._scope_before(file, call))
        except (_GaveUp, RecursionError):
            return None
        except Exception:  # noqa: BLE001  an odd construct in user code must cost no more than a count
            return None
        return made if isinstance(made, Module) else None

    def made_with_defaults(self, name: str, path: str) -> Module | None:
        """The module of a class that a file of the project defines, made with the defaults of its parameters alone."""
        self._steps = self._depth = 0
        try:
            return self._instance(name, path, [], {})
        except (_GaveUp, RecursionError):
            return None
        except Exception:  # noqa: BLE001  as above
            return None

    def _scope_before(self, file: SourceFile, call: ast.Call) -> dict[str, object]:
        """The names that a call sees: what the statements before it in its function, or file, leave."""
        function = file.function_of(call)
        scope: dict[str, object] = {}
        around = {call, *file.outwards(call)}
        body: list[ast.stmt] = (function or file.tree).body
        while body:
            last = next((index for index, one in enumerate(body) if one in around), len(body))
            self._run(file, [one for one in body[:last] if not isinstance(one, ast.Return)], scope)
            holder = body[last] if last < len(body) else None
            blocks = [getattr(holder, name, []) for name in ("body", "orelse", "finalbody")]
            body = next((block for block in blocks if any(one in around for one in block)), [])
        return scope

    # Modules

    def _instance(
        self, name: str, seen_from: str, positional: list[object], keywords: dict[str, object]
    ) -> Module:
        file, node = self._class(name, seen_from)
        module = Module(name, path=file.path)
        self._initialise(module, file, node, positional, keywords)
        return module

    def _class(self, name: str, seen_from: str) -> tuple[SourceFile, ast.ClassDef]:
        """The class of a name as a file sees it: its own, else the first."""
        entries = self._classes[name]
        return next((entry for entry in entries if entry[0].path == seen_from), entries[0])

    def _base(self, file: SourceFile, node: ast.ClassDef) -> tuple[SourceFile, ast.ClassDef] | None:
        """The class of the project that another one derives from."""
        name = next((name_of(one) for one in node.bases if name_of(one) in self._classes), "")
        entry = self._class(name, file.path) if name else None
        return None if entry is None or entry[1] is node else entry

    def _record(self, name: str, positional: list[object], keywords: dict[str, object]) -> Module:
        """An object that only holds settings."""
        file, fields = self._records[name]
        record = Module(name)
        names = [name_of(field.target) for field in fields]
        for field, key in zip(fields, names, strict=True):
            record.attributes[key] = UNKNOWN if field.value is None else self._eval(file, field.value, {})
        record.attributes.update(zip(names, positional, strict=False))
        record.attributes.update(keywords)
        return record

    def _initialise(
        self,
        module: Module,
        file: SourceFile,
        node: ast.ClassDef,
        positional: list[object],
        keywords: dict[str, object],
    ) -> None:
        """Run the constructor of a class on a module, or that of the class it derives from."""
        init = next((one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None)
        if init is not None:
            scope = self._bound(file, init, [module, *positional], keywords)
            scope["__class__"] = (file, node)
            self._run(file, init.body, scope)
            return
        base = self._base(file, node)
        if base is not None:
            with self._deeper():
                self._initialise(module, *base, positional, keywords)
        elif api := next((self._api(file, one) for one in node.bases if self._api(file, one)), ""):
            self._initialise_torch(module, api, positional, keywords)

    def _initialise_torch(
        self, module: Module, api: str, positional: list[object], keywords: dict[str, object]
    ) -> None:
        layer = self._layer(api, positional, keywords)
        module.parts.update(layer.parts)
        module.is_understood &= layer.is_understood

    def _layer(self, api: str, positional: list[object], keywords: dict[str, object]) -> Module:
        name = api.rpartition(".")[2]
        layer = Module(name)
        if name in CONTAINERS:
            items: list[tuple[str, object]] = []
            for item in positional:
                if isinstance(item, dict):
                    items += [(str(key), value) for key, value in item.items()]
                elif isinstance(item, list | tuple) and not isinstance(item, str):
                    items += [(str(len(items) + index), value) for index, value in enumerate(item)]
                else:
                    items.append((str(len(items)), item))
            for key, value in items:
                self._hold(layer, key, value)
            return layer
        signatures = torch_facts().signatures(api)
        names = [parameter.name for parameter in signatures[0].parameters] if signatures else []
        sizes = layer_sizes(name, names, positional, keywords)
        layer.is_understood = sizes is not None
        layer.parts.update({key: Weight(size) for key, size in (sizes or {}).items()})
        layer.attributes.update(zip(names, positional, strict=False))
        layer.attributes.update(keywords)
        return layer

    def _hold(self, module: Module, name: str, value: object) -> None:
        """Set an attribute; a value that may be a module and is not known leaves the count open."""
        if isinstance(value, Weight) or (isinstance(value, Module) and value.name not in self._records):
            module.parts[name] = value
        elif isinstance(value, _Unknown):
            module.attributes[name] = value
            if module.name in CONTAINERS:
                module.is_understood = False
        else:
            module.parts.pop(name, None)
            module.attributes[name] = value

    # Statements

    def _run(self, file: SourceFile, body: list[ast.stmt], scope: dict[str, object]) -> None:
        for statement in body:
            self._step()
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                if statement.value is not None:
                    value = self._eval(file, statement.value, scope)
                    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                    for target in targets:
                        self._assign(file, target, value, scope, statement.value)
            elif isinstance(statement, ast.AugAssign):
                load = ast.copy_location(
                    ast.BinOp(_loaded(statement.target), statement.op, statement.value), statement
                )
                self._assign(file, statement.target, self._eval(file, load, scope), scope, statement.value)
            elif isinstance(statement, ast.Expr):
                self._eval(file, statement.value, scope)
            elif isinstance(statement, ast.If):
                self._branch(file, statement, scope)
            elif isinstance(statement, ast.For):
                items = self._eval(file, statement.iter, scope)
                if not isinstance(items, list | tuple | range | dict) or len(items) > _LONGEST:
                    self._lose(statement, scope)
                    continue
                for item in items:
                    self._assign(file, statement.target, item, scope, statement.iter)
                    self._run(file, statement.body, scope)
            elif isinstance(statement, ast.Return):
                raise _Return(None if statement.value is None else self._eval(file, statement.value, scope))
            elif isinstance(statement, ast.With | ast.Try):
                self._run(file, statement.body, scope)
            elif isinstance(statement, Function):
                scope[statement.name] = _FunctionValue(file, statement, scope)
            elif isinstance(statement, ast.While):
                self._lose(statement, scope)

    def _branch(self, file: SourceFile, statement: ast.If, scope: dict[str, object]) -> None:
        test = self._eval(file, statement.test, scope)
        if isinstance(test, _Unknown):
            self._lose(statement, scope)
            return
        self._run(file, statement.body if _is_true(test) else statement.orelse, scope)

    def _lose(self, statement: ast.stmt, scope: dict[str, object]) -> None:
        """Forget what a statement that is not followed may have set; a module that it gives parts to is then open."""
        module = scope.get("self")
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                scope[node.id] = UNKNOWN
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and name_of(node.value) == "self"
            ):
                if isinstance(module, Module) and _may_make_module(statement):
                    module.is_understood = False
            elif isinstance(module, Module) and _gives_part(node):
                module.is_understood = False

    def _assign(
        self, file: SourceFile, target: ast.expr, value: object, scope: dict[str, object], source: ast.expr
    ) -> None:
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, ast.Attribute):
            owner = self._eval(file, target.value, scope)
            if isinstance(owner, Module):
                if isinstance(value, _Unknown) and _may_make_module(source):
                    owner.is_understood = False
                self._hold(owner, target.attr, value)
        elif isinstance(target, ast.Tuple | ast.List):
            items = value if isinstance(value, list | tuple) and len(value) == len(target.elts) else None
            for index, one in enumerate(target.elts):
                self._assign(file, one, UNKNOWN if items is None else items[index], scope, source)
        elif isinstance(target, ast.Subscript):
            owner, key = self._eval(file, target.value, scope), self._eval(file, target.slice, scope)
            if isinstance(owner, dict | list) and not isinstance(key, _Unknown):
                owner[key] = value  # type: ignore[call-overload]
            elif isinstance(owner, Module):
                self._hold(owner, str(key), value)

    # Expressions

    def _eval(self, file: SourceFile, node: ast.expr, scope: dict[str, object]) -> object:
        self._step()
        found = self._plain(file, node, scope)
        if not isinstance(found, _Unknown) or not self._is_settled(file, node, scope):
            return found
        # What the walk does not tell may stand in the settings of the project.
        known = self._values.value(file, node)
        if isinstance(known, Known) and isinstance(known.value, bool | int | float | str | tuple):
            return known.value
        return UNKNOWN

    def _is_settled(self, file: SourceFile, node: ast.expr, scope: dict[str, object]) -> bool:
        """Whether the settings may answer for an expression: for names that nothing here gives a value, and for
        settings that mean one thing only. What another call passes, or another run would have, is no answer."""
        if node not in file.parents:
            return False
        if isinstance(node, ast.Name):
            return node.id not in scope
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and isinstance(scope.get(node.value.id), Module):
                return False
            return name_of(node.value) == "self" or self._values.is_settled(file, node.attr)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return isinstance(node.slice.value, str) and self._values.is_settled(file, node.slice.value)
        return False

    def _plain(self, file: SourceFile, node: ast.expr, scope: dict[str, object]) -> object:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(file, node, scope)
        if isinstance(node, ast.Attribute):
            return self._attribute(file, node, scope)
        if isinstance(node, ast.Call):
            return self._call(file, node, scope)
        if isinstance(node, ast.List | ast.Tuple):
            items: list[object] = []
            for item in node.elts:
                value = self._eval(file, item.value if isinstance(item, ast.Starred) else item, scope)
                if not isinstance(item, ast.Starred):
                    items.append(value)
                elif isinstance(value, list | tuple | Module):
                    items += _items(value)
                else:
                    return UNKNOWN
            return items if isinstance(node, ast.List) else tuple(items)
        if isinstance(node, ast.Dict):
            if any(key is None for key in node.keys):
                return UNKNOWN
            return {
                self._eval(file, key, scope): self._eval(file, value, scope)
                for key, value in zip(node.keys, node.values, strict=True)
                if key is not None
            }
        if isinstance(node, ast.BinOp):
            return self._binary(file, node, scope)
        if isinstance(node, ast.UnaryOp):
            value = self._eval(file, node.operand, scope)
            if isinstance(value, _Unknown):
                return UNKNOWN
            if isinstance(node.op, ast.Not):
                return not _is_true(value)
            return -value if isinstance(node.op, ast.USub) and isinstance(value, int | float) else UNKNOWN
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = self._eval(file, node.left, scope), self._eval(file, node.comparators[0], scope)
            if isinstance(left, _Unknown) or isinstance(right, _Unknown):
                return UNKNOWN
            return _applied(_COMPARE.get(type(node.ops[0])), left, right)
        if isinstance(node, ast.BoolOp):
            return self._boolean(file, node, scope)
        if isinstance(node, ast.IfExp):
            test = self._eval(file, node.test, scope)
            if isinstance(test, _Unknown):
                return UNKNOWN
            return self._eval(file, node.body if _is_true(test) else node.orelse, scope)
        if isinstance(node, ast.Subscript):
            owner, key = self._eval(file, node.value, scope), self._eval(file, node.slice, scope)
            if isinstance(owner, list | tuple | dict | str | range) and not isinstance(key, _Unknown):
                return _applied(operator.getitem, owner, key)
            if isinstance(owner, Module) and isinstance(key, int):
                parts = list(owner.parts.values())
                return parts[key] if -len(parts) <= key < len(parts) else UNKNOWN
            return UNKNOWN
        if isinstance(node, ast.Slice):
            parts = [
                None if one is None else self._eval(file, one, scope)
                for one in (node.lower, node.upper, node.step)
            ]
            return UNKNOWN if any(isinstance(one, _Unknown) for one in parts) else slice(*parts)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehension(file, node, scope)
        if isinstance(node, ast.Lambda):
            return _FunctionValue(file, node, scope)
        return UNKNOWN

    def _name(self, file: SourceFile, node: ast.Name, scope: dict[str, object]) -> object:
        if node.id in scope:
            return scope[node.id]
        api = self._api(file, node)
        if api:
            return _ClassValue(api, is_torch=True)
        if node.id in self._classes or node.id in self._records:
            return _ClassValue(node.id, seen_from=file.path)
        if node.id in self._functions:
            return _FunctionValue(*self._functions[node.id], {})
        return UNKNOWN

    def _attribute(self, file: SourceFile, node: ast.Attribute, scope: dict[str, object]) -> object:
        api = self._api(file, node)
        if api:
            return _ClassValue(api, is_torch=True)
        owner = self._eval(file, node.value, scope) if not isinstance(node.value, ast.Constant) else UNKNOWN
        if isinstance(owner, Module):
            if node.attr in owner.parts:
                return owner.parts[node.attr]
            return owner.attributes.get(node.attr, UNKNOWN)
        if isinstance(owner, _ClassValue) and owner.name in self._classes:
            home, defined = self._class(owner.name, owner.seen_from)
            for one in defined.body:
                if isinstance(one, ast.Assign) and name_of(one.targets[0]) == node.attr:
                    return self._eval(home, one.value, {})
            return UNKNOWN
        if isinstance(owner, _Unknown) and isinstance(node.value, ast.Name):
            if node.attr in self._classes:
                return _ClassValue(node.attr, seen_from=file.path)
            if node.attr in self._functions and node.value.id not in scope:
                return _FunctionValue(*self._functions[node.attr], {})
        return UNKNOWN

    def _binary(self, file: SourceFile, node: ast.BinOp, scope: dict[str, object]) -> object:
        left, right = self._eval(file, node.left, scope), self._eval(file, node.right, scope)
        if isinstance(left, _Unknown) or isinstance(right, _Unknown):
            return UNKNOWN
        if isinstance(left, Weight) or isinstance(right, Weight):
            weight, other = (left, right) if isinstance(left, Weight) else (right, left)
            return weight if isinstance(other, int | float) else UNKNOWN
        if isinstance(node.op, ast.Pow):
            if (
                isinstance(left, int | float)
                and isinstance(right, int | float)
                and abs(left) < 1e6
                and abs(right) <= 64
            ):
                return _applied(operator.pow, left, right)
            return UNKNOWN
        if (
            isinstance(left, list | tuple | str)
            and isinstance(right, int)
            and right * max(len(left), 1) > _LONGEST
        ):
            return UNKNOWN
        return _applied(_BINARY.get(type(node.op)), left, right)

    def _boolean(self, file: SourceFile, node: ast.BoolOp, scope: dict[str, object]) -> object:
        value: object = UNKNOWN
        for one in node.values:
            value = self._eval(file, one, scope)
            if isinstance(value, _Unknown):
                return UNKNOWN
            if _is_true(value) is isinstance(node.op, ast.Or):
                return value
        return value

    def _comprehension(
        self, file: SourceFile, node: ast.ListComp | ast.GeneratorExp, scope: dict[str, object]
    ) -> object:
        if len(node.generators) != 1:
            return UNKNOWN
        generator = node.generators[0]
        items = self._eval(file, generator.iter, scope)
        if not isinstance(items, list | tuple | range | dict) or len(items) > _LONGEST:
            return UNKNOWN
        found = []
        inner = dict(scope)
        for item in items:
            self._assign(file, generator.target, item, inner, generator.iter)
            tests = [self._eval(file, test, inner) for test in generator.ifs]
            if any(isinstance(test, _Unknown) for test in tests):
                return UNKNOWN
            if all(_is_true(test) for test in tests):
                found.append(self._eval(file, node.elt, inner))
        return found

    # Calls

    def _call(self, file: SourceFile, node: ast.Call, scope: dict[str, object]) -> object:
        name = name_of(node.func)
        if name == "super" and isinstance(node.func, ast.Name):
            module, owner = scope.get("self"), scope.get("__class__")
            return (
                _Super(module, *owner) if isinstance(module, Module) and isinstance(owner, tuple) else UNKNOWN
            )
        positional: list[object] | None = []
        for argument in node.args:
            value = self._eval(file, argument.value if isinstance(argument, ast.Starred) else argument, scope)
            if not isinstance(argument, ast.Starred):
                positional = None if positional is None else [*positional, value]
            elif isinstance(value, list | tuple | Module) and positional is not None:
                positional = [*positional, *_items(value)]
            else:
                positional = None
        keywords: dict[str, object] = {}
        for keyword in node.keywords:
            value = self._eval(file, keyword.value, scope)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict):
                keywords |= {str(key): one for key, one in value.items()}
            else:
                positional = None
        if isinstance(node.func, ast.Attribute):
            found = self._method(file, node.func, positional, keywords, scope)
            if found is not None:
                return found
        if positional is None:
            return self._opened(file, node, scope)
        if name == "dict" and not positional:
            return keywords
        known = _BUILTINS.get(dotted(node.func))
        if known is not None and name not in scope:
            if any(isinstance(one, _Unknown) for one in (*positional, *keywords.values())):
                return UNKNOWN
            return _applied(known, *positional, **keywords)
        if name == "range" and all(isinstance(one, int) for one in positional):
            return _applied(range, *positional)
        api = self._api(file, node.func)
        if api == "torch.nn.Parameter" or api == "torch.nn.parameter.Parameter":
            return self._parameter(positional)
        if api in _NEW_TENSORS:
            return Weight(_numbers(positional, is_full=api.endswith("full")))
        return self._called(self._eval(file, node.func, scope), positional, keywords)

    def _opened(self, file: SourceFile, node: ast.Call, scope: dict[str, object]) -> object:
        """A call whose arguments are not all known: of a class it still is a module, though nobody knows how large."""
        callee = self._eval(file, node.func, scope)
        if isinstance(callee, _ClassValue):
            return Module(callee.name.rpartition(".")[2], is_understood=False)
        return UNKNOWN

    def _called(self, callee: object, positional: list[object], keywords: dict[str, object]) -> object:
        if isinstance(callee, _ClassValue) and callee.is_torch:
            if callee.name.startswith("torch.nn.") and torch_facts().is_module_class(callee.name):
                return self._layer(callee.name, positional, keywords)
            return UNKNOWN
        if isinstance(callee, _ClassValue) and callee.name in self._records:
            return self._record(callee.name, positional, keywords)
        if isinstance(callee, _ClassValue):
            with self._deeper():
                return self._instance(callee.name, callee.seen_from, positional, keywords)
        if isinstance(callee, _FunctionValue):
            with self._deeper():
                return self._function(callee, positional, keywords)
        return UNKNOWN

    def _function(
        self, callee: _FunctionValue, positional: list[object], keywords: dict[str, object]
    ) -> object:
        scope = dict(callee.scope)
        scope.update(self._bound(callee.file, callee.node, positional, keywords))
        if isinstance(callee.node, ast.Lambda):
            return self._eval(callee.file, callee.node.body, scope)
        try:
            self._run(callee.file, callee.node.body, scope)
        except _Return as answer:
            return answer.value
        return None

    def _method(
        self,
        file: SourceFile,
        function: ast.Attribute,
        positional: list[object] | None,
        keywords: dict[str, object],
        scope: dict[str, object],
    ) -> object:
        """The answer of a method that is understood; None where it is something else."""
        owner = self._eval(file, function.value, scope)
        if isinstance(owner, _Super):
            if function.attr == "__init__":
                self._initialise_base(owner, positional, keywords)
            return UNKNOWN
        if positional is None:
            return None
        if isinstance(owner, list):
            if function.attr == "append" and positional:
                owner.append(positional[0])
                return UNKNOWN
            if function.attr == "extend" and positional and isinstance(positional[0], list | tuple):
                owner.extend(positional[0])
                return UNKNOWN
            if function.attr in ("insert", "pop", "copy", "index", "count"):
                return _applied(getattr(owner, function.attr), *positional)
        if isinstance(owner, dict):
            if function.attr in ("get", "pop"):
                return _applied(getattr(owner, function.attr), *positional)
            if function.attr in ("items", "values", "keys"):
                return list(getattr(owner, function.attr)())
            if function.attr == "update" and positional and isinstance(positional[0], dict):
                owner.update(positional[0])
                return UNKNOWN
        if isinstance(owner, str) and function.attr in ("lower", "upper", "startswith", "endswith", "split"):
            return _applied(getattr(owner, function.attr), *positional)
        if isinstance(owner, Module):
            return self._module_method(owner, function.attr, positional, keywords)
        if isinstance(owner, Weight):
            return owner if function.attr in _SAME_SIZE else UNKNOWN
        return None

    def _module_method(
        self, module: Module, name: str, positional: list[object], keywords: dict[str, object]
    ) -> object:
        if name == "append" and positional:
            self._hold(module, str(len(module.parts)), positional[0])
            return module
        if name == "extend" and positional and isinstance(positional[0], list | tuple):
            for item in positional[0]:
                self._hold(module, str(len(module.parts)), item)
            return module
        if name in ("add_module", "register_module") and len(positional) == 2:
            self._hold(module, str(positional[0]), positional[1])
            return UNKNOWN
        if name == "register_parameter" and len(positional) == 2:
            self._hold(module, str(positional[0]), positional[1])
            return UNKNOWN
        if name in ("to", "cuda", "cpu", "train", "eval", "half", "float", "apply", "requires_grad_"):
            return module
        method = self._method_of(module, name)
        if method is None:
            return UNKNOWN
        file, owner, node = method
        with self._deeper():
            is_static = any(name_of(one) == "staticmethod" for one in node.decorator_list)
            scope = self._bound(file, node, positional if is_static else [module, *positional], keywords)
            scope.setdefault("__class__", (file, owner))
            try:
                self._run(file, node.body, scope)
            except _Return as answer:
                return answer.value
        return None

    def _method_of(self, module: Module, name: str) -> tuple[SourceFile, ast.ClassDef, Function] | None:
        """A method that helps to build, and its class; `forward` is not followed."""
        if module.name not in self._classes or name == "forward":
            return None
        entry: tuple[SourceFile, ast.ClassDef] | None = self._class(module.name, module.path)
        for _ in range(_DEEPEST):
            if entry is None:
                return None
            for one in entry[1].body:
                if isinstance(one, Function) and one.name == name:
                    return *entry, one
            entry = self._base(*entry)
        return None

    def _initialise_base(
        self, owner: _Super, positional: list[object] | None, keywords: dict[str, object]
    ) -> None:
        if positional is None:
            owner.module.is_understood = False
            return
        base = self._base(owner.file, owner.node)
        if base is not None:
            with self._deeper():
                self._initialise(owner.module, *base, positional, keywords)
            return
        api = next((self._api(owner.file, one) for one in owner.node.bases if self._api(owner.file, one)), "")
        if api.startswith("torch.nn.") and not api.endswith(".Module"):
            self._initialise_torch(owner.module, api, positional, keywords)

    def _parameter(self, positional: list[object]) -> Weight:
        first = positional[0] if positional else UNKNOWN
        return Weight(first.size if isinstance(first, Weight) else None)

    def _bound(
        self,
        file: SourceFile,
        function: Function | ast.Lambda,
        positional: list[object],
        keywords: dict[str, object],
    ) -> dict[str, object]:
        """The parameters of a function with what a call passes, and their defaults."""
        arguments = function.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        scope: dict[str, object] = dict(zip(names, positional, strict=False))
        if arguments.vararg is not None:
            scope[arguments.vararg.arg] = tuple(positional[len(names) :])
        every = [*names, *(one.arg for one in arguments.kwonlyargs)]
        scope.update({name: value for name, value in keywords.items() if name in every})
        if arguments.kwarg is not None:
            scope[arguments.kwarg.arg] = {
                name: value for name, value in keywords.items() if name not in every
            }
        if isinstance(function, ast.Lambda):
            return scope
        for name, default in defaults_of(function).items():
            if name not in scope:
                scope[name] = self._eval(file, default, {})
        return scope

    # Bookkeeping

    def _api(self, file: SourceFile, node: ast.expr) -> str:
        """The torch name that an expression is; empty for none."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return ""
        if file.path not in self._apis:
            self._apis[file.path] = {
                (use.span.end_line, use.span.end_column): use.api
                for use in file.usage.uses
                if use.receiver is None and use.api.startswith("torch.")
            }
        end = (node.end_lineno or 0, node.end_col_offset or 0)
        return self._apis[file.path].get(end, "")

    def _step(self) -> None:
        self._steps += 1
        self._all_steps += 1
        if self._steps > _MOST_STEPS or self._all_steps > _MOST_STEPS_IN_ALL:
            raise _GaveUp

    def _deeper(self) -> _Deeper:
        return _Deeper(self)


class _Deeper:
    """Counts how deep calls are nested."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def __enter__(self) -> None:
        self._builder._depth += 1
        if self._builder._depth > _DEEPEST:
            raise _GaveUp

    def __exit__(self, *_: object) -> None:
        self._builder._depth -= 1


def _items(value: list[object] | tuple[object, ...] | Module) -> list[object]:
    """What a star spreads; of a module its parts, as of nn.Sequential."""
    return list(value.parts.values()) if isinstance(value, Module) else list(value)


def _gives_part(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in ("append", "extend", "add_module")


def _loaded(target: ast.expr) -> ast.expr:
    copy = ast.copy_location(ast.parse(ast.unparse(target), mode="eval").body, target)
    return copy


def _numbers(positional: list[object], is_full: bool) -> int | None:
    """The product of the sizes that a tensor is made with."""
    sizes: list[object] = list(positional[:1]) if is_full else list(positional)
    if len(sizes) == 1 and isinstance(sizes[0], list | tuple):
        sizes = list(sizes[0])
    total = 1
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int):
            return None
        total *= size
    return total


def _applied(function: Callable[..., object] | None, *arguments: object, **keywords: object) -> object:
    if function is None:
        return UNKNOWN
    try:
        return function(*arguments, **keywords)
    except Exception:  # noqa: BLE001  the user's values decide what goes wrong here
        return UNKNOWN


def _is_true(value: object) -> bool:
    return True if isinstance(value, Module | Weight | _ClassValue | _FunctionValue) else bool(value)


def _may_make_module(node: ast.AST) -> bool:
    """Whether code that is not followed may make a module: it calls something that begins with a capital, or a function
    whose name says so."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            name = name_of(inner.func)
            if name[:1].isupper() or name.startswith(
                ("make", "_make", "build", "get_", "create", "conv", "init")
            ):
                return True
            if not name:
                return True
    return False
