"""What a file does with MindSpore itself: names that imports lead to, and in-place methods of tensors made in the same
function. Reads each unit by itself; what is not certain from imports and assignments is left out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from mindport.model.span import Span
from mindport.source.lines import LineIndex
from mindport.source.trees import children
from mindport.source.units import Unit, UnitKind
from mindport.source.written_names import dotted_name
from mindport.usage.header import UnitHeader
from mindport.usage.variables import ImportRecord

ROOT = "mindspore"
TENSOR_CLASS = "mindspore.Tensor"

_TENSOR_NAMES = (TENSOR_CLASS, "mindspore.tensor")
_TENSOR_MAKERS = ("mindspore.ops.", "mindspore.mint.", "mindspore.numpy.")
# Words in a condition that say that its branches are written for one device or version.
_GUARD_WORDS = ("device", "version", "hasattr", "ascend", "gpu", "npu")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class MindSporeArgument(msgspec.Struct, frozen=True):
    """One argument of a call. `value` counts where `is_literal`; `name` is the last part of a plain or dotted name;
    `entries` are those of a dict whose keys are texts, each with its key as `keyword`."""

    keyword: str | None = None  # None for a positional one
    star: int = 0  # 1 for `*xs`, 2 for `**kw`
    is_literal: bool = False
    value: bool | int | float | str | None = None
    name: str = ""
    entries: tuple[MindSporeArgument, ...] = ()


class MindSporeUse(msgspec.Struct, frozen=True):
    """One reference to MindSpore. `name` is dotted from `mindspore`, as imports tell it; `span` covers that name."""

    name: str
    span: Span
    arguments: tuple[MindSporeArgument, ...] | None = None  # None where it is not called
    receiver: str = ""  # the variable whose in-place method is called
    discarded: bool = False  # the call is a statement of its own
    is_import: bool = False
    guarded: bool = False  # in code that asks for the device or version, or tries what may be missing

    def argument(self, keyword: str, position: int) -> MindSporeArgument | None:
        """The argument that reaches a parameter; None where it is not passed, or stars leave that open."""
        for place, argument in enumerate(self.arguments or ()):
            if argument.star == 1 and place <= position:
                return None
            if argument.keyword == keyword or (
                place == position and argument.keyword is None and not argument.star
            ):
                return argument
        return None

    def keyword(self, path: str) -> MindSporeArgument | None:
        """What is passed by a keyword; each dot leads into a dict that is written there. None where it is not seen."""
        among = self.arguments or ()
        found = None
        for key in path.split("."):
            found = next((argument for argument in among if argument.keyword == key), None)
            if found is None:
                return None
            among = found.entries
        return found

    @property
    def is_open(self) -> bool:
        """Whether stars may pass more than is written."""
        return any(argument.star for argument in self.arguments or ())


class MindSporeReader:
    """The uses of one file from version to version: units whose text did not change are not walked again."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        # The trees are kept with what was found in them: an identity is good only while the object lives.
        self._known: dict[int, tuple[list[ast.stmt], int, tuple[MindSporeUse, ...]]] = {}

    def read(
        self, units: Iterable[Unit], headers: Iterable[UnitHeader], index: LineIndex
    ) -> tuple[MindSporeUse, ...]:
        """The uses in the order of their places; the same objects as before where nothing changed."""
        if ROOT not in index.text:
            self._known = {}
            return ()
        names = imported_names(headers)
        known = self._known if names == self._names else {}
        present = {}
        found: list[MindSporeUse] = []
        for unit in units:
            key = id(unit.statements)
            before = known.get(key)
            if before is None:
                uses = tuple(_Walker(names, index, unit.shift).uses(_trees(unit)))
            elif before[1] != unit.shift:
                uses = tuple(_moved(use, unit.shift - before[1]) for use in before[2])
            else:
                uses = before[2]
            present[key] = (unit.statements, unit.shift, uses)
            found += uses
        self._names, self._known = names, present
        return tuple(found)


def imported_names(headers: Iterable[UnitHeader]) -> dict[str, str]:
    """What the names of a module refer to in MindSpore. Names that are also bound to something else are left out."""
    bound: dict[str, set[str]] = {}
    headers = list(headers)
    for header in headers:
        for record in header.imports:
            bound.setdefault(record.local, set()).add(_target(record))
    for header in headers:
        for local, parts in header.aliases:
            first = bound.get(parts[0], set())
            dotted = ".".join((next(iter(first)), *parts[1:])) if len(first) == 1 else ""
            bound.setdefault(local, set()).add(dotted)
    return {
        local: dotted
        for local, targets in bound.items()
        if len(targets) == 1 and _is_mindspore(dotted := next(iter(targets)))
    }


def _target(record: ImportRecord) -> str:
    if record.level:
        return ""
    if record.name:
        return f"{record.module}.{record.name}"
    return record.module if record.alias.asname else record.local


def _is_mindspore(dotted: str) -> bool:
    return dotted == ROOT or dotted.startswith(f"{ROOT}.")


def _trees(unit: Unit) -> list[ast.AST]:
    """What to walk for a unit: of a class only the header, as its members are units of their own."""
    if unit.kind is not UnitKind.CLASS:
        return [*unit.statements]
    return [
        tree
        for node in unit.statements
        if isinstance(node, ast.ClassDef)
        for tree in (*node.decorator_list, *node.bases, *node.keywords)
    ]


def _moved(use: MindSporeUse, lines: int) -> MindSporeUse:
    return msgspec.structs.replace(use, span=use.span.shifted(lines))


class _Walker:
    """Walks one unit. Each function has its own names and its own tensors."""

    def __init__(self, names: Mapping[str, str], index: LineIndex, shift: int) -> None:
        self._names = names
        self._index = index
        self._shift = shift
        self._tensors: frozenset[str] = frozenset()
        self._guarded = False
        self._found: list[MindSporeUse] = []

    def uses(self, trees: Iterable[ast.AST]) -> list[MindSporeUse]:
        self._all(trees)
        return sorted(self._found, key=lambda use: use.span)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, _FUNCTIONS):
            self._function(node)
        elif isinstance(node, ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._call(node.value, discarded=True)
        elif isinstance(node, ast.Call):
            self._call(node, discarded=False)
        elif isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        ):
            self._name(node, None)
        elif isinstance(node, ast.Try):
            self._guard(node.body, node.handlers)
            self._all([*node.handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, (ast.If, ast.IfExp)):
            self._visit(node.test)
            body = node.body if isinstance(node.body, list) else [node.body]
            orelse = node.orelse if isinstance(node.orelse, list) else [node.orelse]
            test = ast.unparse(node.test).lower()
            self._guard([*body, *orelse], any(word in test for word in _GUARD_WORDS))
        else:
            self._all(children(node))

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self._visit(node)

    def _guard(self, nodes: Iterable[ast.AST], is_guard: object) -> None:
        before, self._guarded = self._guarded, self._guarded or bool(is_guard)
        self._all(nodes)
        self._guarded = before

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        if not isinstance(node, ast.Lambda):
            self._all(node.decorator_list)
        self._visit(node.args)
        bodies = [node.body] if isinstance(node, ast.Lambda) else node.body
        local = _Locals(node)
        names = {name: dotted for name, dotted in self._names.items() if name not in local.names}
        names |= local.imported
        outer = self._names, self._tensors
        self._names = names
        # What a decorator makes of the function is not known: under `jit` in-place methods do work.
        values = {} if getattr(node, "decorator_list", ()) else local.values
        self._tensors = frozenset(
            name for name, bound in values.items() if all(self._makes_tensor(value) for value in bound)
        )
        self._all(bodies)
        self._names, self._tensors = outer

    def _makes_tensor(self, value: ast.expr | None) -> bool:
        dotted = self._dotted(value.func) if isinstance(value, ast.Call) else ""
        last = dotted.rpartition(".")[2]
        return dotted in _TENSOR_NAMES or (dotted.startswith(_TENSOR_MAKERS) and last.islower())

    def _call(self, node: ast.Call, discarded: bool) -> None:
        callee = node.func
        if self._dotted(callee):
            self._name(callee, node)
        elif (
            isinstance(callee, ast.Attribute)
            and isinstance(callee.value, ast.Name)
            and callee.value.id in self._tensors
        ):
            name = f"{TENSOR_CLASS}.{callee.attr}"
            arguments = _arguments(node)
            self._add(name, callee, arguments=arguments, receiver=callee.value.id, discarded=discarded)
        else:
            self._visit(callee)
        self._all(node.args)
        self._all(node.keywords)

    def _name(self, node: ast.expr, call: ast.Call | None) -> None:
        dotted = self._dotted(node)
        if dotted:
            self._add(dotted, node, arguments=_arguments(call) if call is not None else None)
        elif isinstance(node, ast.Attribute):
            self._visit(node.value)

    def _import(self, node: ast.ImportFrom) -> None:
        if not node.level and node.module and _is_mindspore(node.module):
            for alias in node.names:
                if alias.name != "*":
                    self._add(f"{node.module}.{alias.name}", alias, is_import=True)

    def _dotted(self, node: ast.expr) -> str:
        """What a name refers to in MindSpore; empty where it is not of MindSpore, or is bound here."""
        parts = dotted_name(node)
        root = self._names.get(parts[0], "") if parts else ""
        return ".".join((root, *parts[1:])) if parts and root else ""

    def _add(
        self,
        name: str,
        node: ast.expr | ast.alias,
        arguments: tuple[MindSporeArgument, ...] | None = None,
        receiver: str = "",
        discarded: bool = False,
        is_import: bool = False,
    ) -> None:
        line, end_line = node.lineno + self._shift, (node.end_lineno or node.lineno) + self._shift
        span = Span(
            line,
            self._index.column_of_byte(line, node.col_offset),
            end_line,
            self._index.column_of_byte(end_line, node.end_col_offset or node.col_offset),
        )
        self._found.append(MindSporeUse(name, span, arguments, receiver, discarded, is_import, self._guarded))


class _Locals:
    """What a function binds: its names, MindSpore that it imports itself, and the values of plain assignments. A name
    bound in any other way too has None among its values."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        self.values: dict[str, list[ast.expr | None]] = {}
        self.imported: dict[str, str] = {}
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self._bind(argument.arg)
        for collected in (arguments.vararg, arguments.kwarg):
            if collected is not None:
                self._bind(collected.arg)
        if not isinstance(node, ast.Lambda):
            for statement in node.body:
                self._visit(statement)
        self.imported = {name: to for name, to in self.imported.items() if self.values[name] == [None]}

    @property
    def names(self) -> frozenset[str]:
        """Every name that the function binds."""
        return frozenset(self.values)

    def _bind(self, name: str, value: ast.expr | None = None) -> None:
        self.values.setdefault(name, []).append(value)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._bind(node.name)
        if isinstance(node, _SCOPES):
            return
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                self._bind(name)
        elif (
            isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ):
            self._bind(node.targets[0].id, node.value)
            self._visit(node.value)
            return
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._bind(node.id)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            self._bind(node.name)
        for child in children(node):
            self._visit(child)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            self._bind(local)
            if isinstance(node, ast.ImportFrom):
                dotted = "" if node.level else f"{node.module}.{alias.name}"
            else:
                dotted = alias.name if alias.asname else local
            if _is_mindspore(dotted):
                self.imported[local] = dotted


def _arguments(call: ast.Call) -> tuple[MindSporeArgument, ...]:
    found = []
    for node in call.args:
        starred = isinstance(node, ast.Starred)
        found.append(_argument(node.value if isinstance(node, ast.Starred) else node, None, int(starred)))
    for keyword in call.keywords:
        found.append(_argument(keyword.value, keyword.arg, 0 if keyword.arg else 2))
    return tuple(found)


def _argument(node: ast.expr, keyword: str | None, star: int) -> MindSporeArgument:
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float, str, type(None))):
        return MindSporeArgument(keyword, star, True, node.value)
    if isinstance(node, ast.Dict):
        return MindSporeArgument(keyword, star, entries=tuple(_entries(node)))
    parts = dotted_name(node)
    return MindSporeArgument(keyword, star, name=parts[-1] if parts else "")


def _entries(node: ast.Dict) -> Iterator[MindSporeArgument]:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield _argument(value, key.value, 0)
