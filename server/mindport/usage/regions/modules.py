"""Modules and their names, for following a gradient through a project. What waits is settled here as well: a name may
stand for a call whose result nobody has asked for yet."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from mindport.source.units import UnitKind
from mindport.usage import python_model, torch_model
from mindport.usage.header import import_records
from mindport.usage.regions.program import RegionFiles
from mindport.usage.regions.values import (
    BodyRun,
    Builtin,
    ClassOf,
    Constant,
    Data,
    FunctionOf,
    Items,
    ModuleOf,
    OutsideName,
    OwnInstance,
    PassedValues,
    TreePlace,
    UnaskedItem,
    Value,
    Waiting,
)
from mindport.usage.variables import ImportRecord

_MOST_STEPS = 150_000
_STEPS_WITHOUT_PAUSE = 16  # some are long: a whole class may be looked at in one


class Modules(ABC):
    """What names stand for, and what the layers above this one do."""

    def __init__(self, program: RegionFiles) -> None:
        self.program = program
        self.steps = 0
        self.made: dict[int, list[OwnInstance]] = {}  # by the identity of the class's header
        self.seeking: set[int] = set()
        self.classes: dict[int, ClassOf] = {}  # those at the top of modules, by the identity of their headers
        self._modules: dict[str, BodyRun] = {}
        self._finished: set[str] = set()

    @abstractmethod
    def evaluate(self, node: ast.expr, frame: BodyRun) -> Value:
        """The value of an expression."""

    @abstractmethod
    def run(self, statements: list[tuple[ast.stmt, int]], frame: BodyRun) -> None:
        """Run statements of which each has its own shift."""

    @abstractmethod
    def call(self, callee: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """The result of a call."""

    @abstractmethod
    def force(self, waiting: Waiting) -> Value:
        """The result of a call that waits."""

    @abstractmethod
    def make(self, instance: OwnInstance) -> None:
        """Follow `__init__`, so that the attributes are there."""

    @abstractmethod
    def item(self, base: Value, key: object, site: TreePlace, frame: BodyRun) -> Value:
        """`base[key]` for a constant key, or for one that is not known (UNREAD)."""

    def step(self) -> bool:
        """Count one step; False where enough have been made and the rest stays unknown."""
        self.steps += 1
        if not self.steps % _STEPS_WITHOUT_PAUSE:
            self.program.pause()
        return self.steps < _MOST_STEPS

    def module(self, path: str) -> BodyRun:
        """The frame of a module, with its body run as far as that is not under way."""
        frame = self._modules.get(path)
        if frame is None:
            frame = self._modules[path] = self._module_frame(path)
            self.run(self.module_body(path), frame)
            self._finished.add(path)
        return frame

    def module_body(self, path: str) -> list[tuple[ast.stmt, int]]:
        """The statements at the top of a module; of classes only the headers."""
        return [
            (statement, unit.shift)
            for unit in self.program.state(path).module.units
            if unit.kind is not UnitKind.MEMBER
            for statement in unit.statements
        ]

    def _module_frame(self, path: str) -> BodyRun:
        """A frame in which functions, classes and imports are bound already: functions may use what comes later."""
        frame = BodyRun(path, 0, "", None, None, None)
        classes: dict[str, ClassOf] = {}
        for unit in self.program.state(path).module.units:
            for statement in unit.statements:
                if unit.kind is UnitKind.CLASS and isinstance(statement, ast.ClassDef):
                    made = ClassOf(statement, path, unit.shift, frame)
                    classes[statement.name] = frame.names[statement.name] = made
                    self.classes[id(statement)] = made
                elif unit.kind is UnitKind.MEMBER:
                    owner = classes.get(unit.owner)
                    if owner is not None:
                        self.add_member(owner, statement, unit.shift)
                elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    frame.names[statement.name] = FunctionOf(statement, path, unit.shift, frame)
                elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                    self.import_names(statement, frame)
        return frame

    @staticmethod
    def add_member(owner: ClassOf, statement: ast.stmt, shift: int) -> None:
        """Add a statement of its body to a class."""
        owner.body.append((statement, shift))
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            method = FunctionOf(statement, owner.path, shift, owner.frame)
            method.owner = owner
            owner.methods[statement.name] = method

    def import_names(self, node: ast.Import | ast.ImportFrom, frame: BodyRun) -> None:
        """Bind what an import statement brings."""
        for record in import_records(node, "", False, True):
            if record.name != "*":
                frame.names[record.local] = self._imported(record, frame.path)

    def _imported(self, record: ImportRecord, path: str) -> Value:
        target = self.program.target(path, record)
        if target is None:
            if record.level:
                return Data()
            if record.name:
                return self.dotted(f"{record.module}.{record.name}")
            return self.dotted(record.module if record.alias.asname else record.local)
        file, name = target
        if not name:
            return ModuleOf(file)
        # A package that names itself, `from a.nets import small` in a/nets/__init__.py, imports what lies in it.
        part = self.program.submodule(file, name) if file == path else None
        return ModuleOf(part) if part is not None else UnaskedItem(ModuleOf(file), name)

    def dotted(self, name: str) -> Value:
        """A name of another package; names of torch by their canonical ones."""
        if name.partition(".")[0] in torch_model.TORCH_ROOTS:
            return OutsideName(torch_model.reference(name).name)
        return OutsideName(name)

    def exported(self, path: str, name: str, seen: tuple[str, ...] = ()) -> Value:
        """What a name of another module stands for."""
        if path in seen or not self.program.has(path):
            return Data()
        frame = self.module(path)
        found = frame.names.get(name)
        if found is not None:
            return self.settled(found)
        submodule = self.program.submodule(path, name)
        if submodule is not None:
            return ModuleOf(submodule)
        for target in self.program.starred(path):
            if self.program.has(target) and self.program.defines(target, name):
                return self.exported(target, name, (*seen, path))
        starred = self.program.state(path).table.starred_name(name)
        return self.dotted(starred) if starred else Data()

    def namespace(self, path: str, seen: tuple[str, ...] = ()) -> Items:
        """The classes and functions that a module has by their names: what code finds there by a text of its own."""
        found: dict[str, Value] = {}
        if path not in seen and self.program.has(path):
            for target in self.program.starred(path):
                starred = self.namespace(target, (*seen, path))
                found |= {
                    key.value: value
                    for key, value in zip(starred.keys or (), starred.values, strict=True)
                    if isinstance(key, Constant)
                }
            named = {name: self.settled(value) for name, value in list(self.module(path).names.items())}
            found |= {
                name: value for name, value in named.items() if isinstance(value, (ClassOf, FunctionOf))
            }
        return Items(list(found.values()), [Constant(name) for name in found])

    def name(self, identifier: str, frame: BodyRun) -> Value:
        """What a name stands for in a frame."""
        scope: BodyRun | None = frame
        while scope is not None:
            found = scope.names.get(identifier)
            if found is not None:
                return found
            scope = scope.outer
        module = self.module(frame.path)
        found = module.names.get(identifier)
        if found is not None:
            return found
        starred = self.program.state(frame.path).table.starred_name(identifier)
        if starred and not self.program.covers(frame.path, identifier):
            return self.dotted(starred)
        for target in self.program.starred(frame.path):
            if self.program.has(target) and self.program.defines(target, identifier):
                return self.exported(target, identifier, (frame.path,))
        return Builtin(identifier) if identifier in python_model.BUILTINS else Data()

    def settled(self, value: Value) -> Value:
        """The value itself, where it waits for somebody to ask."""
        while True:
            if isinstance(value, Waiting):
                value = self.force(value)
            elif isinstance(value, UnaskedItem):
                value = self._part(value)
            else:
                return value

    def _part(self, part: UnaskedItem) -> Value:
        if part.result is None:
            if part.is_active:
                return Data()
            part.is_active = True
            base = part.base
            if isinstance(base, ModuleOf) and isinstance(part.key, str):
                part.result = self.exported(base.path, part.key)
            else:
                part.result = self.item(self.settled(base), part.key, NOWHERE, NO_FRAME)
            part.is_active = False
        return part.result


NO_FRAME = BodyRun("", 0, "", None, None, None)
NOWHERE = TreePlace("", ast.Pass(), 0)
