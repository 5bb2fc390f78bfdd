"""Constructs of Python in what is compiled to a graph. Their names are those of the registry, which says what becomes
of each; here they are only found."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name
from mindport.usage.api_use import ApiUse

# Notes a construct: its node and its name in the registry.
Note = Callable[[ast.AST, str], None]

JIT, NETWORK = "jit", "network"  # why a function is compiled

_JIT = ("mindspore.jit", "mindspore.ms_function", "mindspore.common.api.jit")
_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Try: "try",
    ast.Yield: "yield",
    ast.YieldFrom: "yield-from",
    ast.Set: "set",
    ast.SetComp: "set-comprehension",
    ast.Nonlocal: "nonlocal",
    ast.NamedExpr: "walrus",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Delete: "del-name",
    ast.ClassDef: "class",
    ast.With: "with",
    ast.AsyncFunctionDef: "async",
    ast.Await: "async",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
}
for _name, _construct in (("TryStar", "try"), ("Match", "match")):
    if hasattr(ast, _name):
        _STATEMENTS[getattr(ast, _name)] = _construct
_LIST_CHANGES = frozenset(("append", "extend", "insert", "clear"))
_DICT_CHANGES = frozenset(("update",))
_LOCAL_LIST_CALLS = {
    "sort": "list-sort", "remove": "list-remove", "extend": "list-extend", "insert": "list-insert-pop",
    "reverse": "list-reverse",
}  # fmt: skip
_BUILTINS = {"round": "round", "next": "next", "hash": "hash"}
_TENSORS = ("Tensor", "Parameter")
_LOGGERS = frozenset(("logging", "logger", "_logger", "log", "LOG", "LOGGER", "_LOG"))
_LOG_METHODS = frozenset(("debug", "info", "warning", "warn", "error", "exception", "critical", "log"))
_CLOCKS = frozenset(
    (
        "time.time",
        "time.perf_counter",
        "time.monotonic",
        "time.time_ns",
        "time.process_time",
        "datetime.datetime.now",
    )
)


def compiled_by(node: ast.AST, rows: Mapping[ast.AST, ApiUse], names: Mapping[str, str]) -> str:
    """Why a function becomes a graph: JIT for what is decorated so, NETWORK for the forward of a module, which does
    where graph mode is chosen; empty for any other."""
    if not isinstance(node, ast.FunctionDef):
        return ""
    for decorator in node.decorator_list:
        parts = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        base = names.get(parts[0]) if parts else None
        if parts and base and ".".join((base, *parts[1:])) in _JIT:
            return JIT
    row = rows.get(node)
    if row is not None and row.api == "torch.nn.Module.forward":
        return NETWORK
    has_self = bool(node.args.args) and node.args.args[0].arg == "self"
    return NETWORK if node.name == "construct" and has_self and names else ""


def find_constructs(function: ast.FunctionDef, rows: Mapping[ast.AST, ApiUse], note: Note) -> None:
    """Note every construct in a compiled function that the registry may know."""
    finder = _Finder(rows, note, _bound_names(function), _objects(function, rows))
    _note_attributes(function, note)
    for statement in function.body:
        finder.visit(statement)


def _note_attributes(function: ast.FunctionDef, note: Note) -> None:
    """Note attributes of the object that the function writes and reads; flags set to a constant carry no gradient."""
    own = [
        node
        for node in every_node(function)
        if isinstance(node, ast.Attribute) and is_attribute_of_self(node)
    ]
    read = {node.attr for node in own if isinstance(node.ctx, ast.Load)}
    flags = {
        target
        for node in every_node(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    }
    for node in own:
        if isinstance(node.ctx, ast.Store) and node.attr in read and node not in flags:
            note(node, "attribute-number")


class _Finder(ast.NodeVisitor):
    def __init__(
        self, rows: Mapping[ast.AST, ApiUse], note: Note, local: frozenset[str], objects: frozenset[str]
    ) -> None:
        self._rows = rows
        self._note = note
        self._local = local
        self._objects = objects

    def generic_visit(self, node: ast.AST) -> None:
        construct = _STATEMENTS.get(type(node))
        if construct is not None:
            self._note(node, construct)
            if construct in ("class", "async"):
                return
        super().generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if node.orelse:
            self._note(node.orelse[0], "while-else")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        if node.orelse:
            self._note(node.orelse[0], "for-else")
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.args.posonlyargs:
            self._note(node, "positional-only")
        self.generic_visit(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node, node.generators)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, node.generators)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node, node.generators)

    def _comprehension(self, node: ast.expr, generators: list[ast.comprehension]) -> None:
        if len(generators) > 1:
            self._note(node, "two-loops-in-comprehension")
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self._note(node, "global-write")

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._stored(target)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._stored(node.target)
        self.generic_visit(node)

    def _stored(self, target: ast.expr) -> None:
        """self.x[...] = ..., SEEN[...] = ... and Point().x = ..."""
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            if target.value.id in self._objects:
                self._note(target, "object-attribute-set")
            return
        if not isinstance(target, ast.Subscript):
            return
        owner = target.value
        is_text = isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str)
        if is_attribute_of_self(owner):
            self._note(target, "attribute-dict-set" if is_text else "attribute-setitem")
        elif isinstance(owner, ast.Name) and owner.id not in self._local and is_text:
            self._note(target, "global-dict-set")

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            owner, method = call.func.value, call.func.attr
            is_local = isinstance(owner, ast.Name) and owner.id in self._local
            if is_local and method in _LOCAL_LIST_CALLS and call.func not in self._rows:
                self._note(call, _LOCAL_LIST_CALLS[method])
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        construct = self._called(node)
        if construct:
            self._note(node, construct)
        self.generic_visit(node)

    def _called(self, node: ast.Call) -> str:
        callee = node.func
        row = self._rows.get(callee)
        if row is not None:
            return _TORCH_CALLS.get(row.api, "")
        if isinstance(callee, ast.Name):
            return _BUILTINS.get(callee.id, "") if callee.id not in self._local else ""
        if not isinstance(callee, ast.Attribute):
            return ""
        method, owner = callee.attr, callee.value
        if method == "asnumpy":
            return "asnumpy"
        if is_attribute_of_self(owner):
            if method in _LIST_CHANGES:
                return "attribute-list-append"
            return "attribute-dict-update" if method in _DICT_CHANGES else ""
        parts = dotted_name(callee)
        if parts is None or parts[0] in self._local or parts[0] == "self":
            return ""
        return _of_module(parts)


_TORCH_CALLS = {
    "torch.Tensor.numpy": "asnumpy",
    "torch.Tensor.tolist": "tolist",
    "torch.nn.Parameter": "parameter",
    "torch.nn.parameter.Parameter": "parameter",
}


def _of_module(parts: tuple[str, ...]) -> str:
    """The construct that a call of something outside the function is."""
    dotted, method = ".".join(parts), parts[-1]
    if parts[0] in ("np", "numpy") and len(parts) > 2 and parts[1] == "random":
        return "numpy-random"
    if parts[0] == "random" and len(parts) == 2:
        return "random"
    if dotted in _CLOCKS:
        return "time"
    if dotted == "copy.deepcopy":
        return "deepcopy"
    if dotted == "warnings.warn":
        return "warnings"
    if parts[0] in _LOGGERS and method in _LOG_METHODS:
        return "logging"
    if len(parts) == 2 and method in ("append", "extend", "insert") and parts[0].isupper():
        return "global-list-append"
    return ""


def is_attribute_of_self(node: ast.expr) -> bool:
    """self.x"""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _objects(function: ast.FunctionDef, rows: Mapping[ast.AST, ApiUse]) -> frozenset[str]:
    """The names that hold an object of a class, as its name in capitals tells, that is made in the function."""
    return frozenset(
        target.id
        for node in every_node(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name) and node.value.func.id[:1].isupper()
        and node.value.func not in rows and node.value.func.id not in _TENSORS
        for target in node.targets
        if isinstance(target, ast.Name)
    )  # fmt: skip


def _bound_names(function: ast.FunctionDef) -> frozenset[str]:
    """Every name that the function binds anywhere in it."""
    arguments = function.args
    given: Iterable[ast.arg | None] = (
        *arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg
    )  # fmt: skip
    names = {one.arg for one in given if one is not None}
    for node in every_node(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node is not function:
            names.add(node.name)
    return frozenset(names)
