"""Names, attributes, modules and classes, for following a gradient through a project."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod

from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.source.module import UnitKind
from mindport.usage import python_model, torch_model
from mindport.usage.header import import_records
from mindport.usage.regions.program import Program
from mindport.usage.regions.values import (
    DOUBT,
    UNREAD,
    Arguments,
    Builtin,
    Choice,
    ClassOf,
    Compiled,
    Constant,
    Data,
    Dotted,
    Frame,
    FunctionOf,
    Instance,
    Items,
    Layer,
    Member,
    ModuleOf,
    Parent,
    Part,
    Site,
    Value,
    Waiting,
    Weights,
    chosen,
)
from mindport.usage.variables import ImportRecord

FRAMEWORKS = ("torch", "mindspore")
_MOST_STEPS = 150_000
_STEPS_WITHOUT_PAUSE = 16  # some are long: a whole class may be looked at in one
_DEEPEST_CLASSES = 12
# Members of a tensor that say something about it and carry no gradient.
PLAIN_MEMBERS = frozenset(
    {"shape", "size", "dim", "ndim", "device", "dtype", "numel", "nelement", "is_cuda", "requires_grad", "item",
     "is_leaf", "grad_fn", "layout", "itemsize", "tolist", "numpy", "asnumpy", "ndimension", "get_device", "type_as_",
     "is_contiguous", "stride", "strides", "names", "is_floating_point", "argmax", "argmin", "argsort", "nonzero"}
)  # fmt: skip
_WEIGHTS = frozenset(
    {"parameters", "named_parameters", "trainable_params", "get_parameters", "parameters_and_names",
     "parameters_dict", "state_dict", "untrainable_params", "get_parameter"}
)  # fmt: skip
_CHILDREN = frozenset(
    {"children", "modules", "cells", "named_children", "named_modules", "cells_and_names", "name_cells"}
)


class Lookup(ABC):
    """What names and attributes stand for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.steps = 0
        self.made: dict[int, list[Instance]] = {}  # by the identity of the class's header
        self.seeking: set[int] = set()
        self.classes: dict[int, ClassOf] = {}  # those at the top of modules, by the identity of their headers
        self._modules: dict[str, Frame] = {}
        self._finished: set[str] = set()

    # -- what the other layers of the interpreter do

    @abstractmethod
    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""

    @abstractmethod
    def run(self, statements: list[tuple[ast.stmt, int]], frame: Frame) -> None:
        """Run statements of which each has its own shift."""

    @abstractmethod
    def call(self, callee: Value, arguments: Arguments, site: Site, frame: Frame) -> Value:
        """The result of a call."""

    @abstractmethod
    def force(self, waiting: Waiting) -> Value:
        """The result of a call that waits."""

    @abstractmethod
    def make(self, instance: Instance) -> None:
        """Follow `__init__`, so that the attributes are there."""

    @abstractmethod
    def item(self, base: Value, key: object, site: Site, frame: Frame) -> Value:
        """`base[key]` for a constant key, or for one that is not known (UNREAD)."""

    def step(self) -> bool:
        """Count one step; False where enough have been made and the rest stays unknown."""
        self.steps += 1
        if not self.steps % _STEPS_WITHOUT_PAUSE:
            self.program.pause()
        return self.steps < _MOST_STEPS

    # -- modules

    def module(self, path: str) -> Frame:
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

    def _module_frame(self, path: str) -> Frame:
        """A frame in which functions, classes and imports are bound already: functions may use what comes later."""
        frame = Frame(path, 0, "", None, None, None)
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

    def import_names(self, node: ast.Import | ast.ImportFrom, frame: Frame) -> None:
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
        return ModuleOf(file) if not name else Part(ModuleOf(file), name)

    def dotted(self, name: str) -> Value:
        """A name of another package; names of torch by their canonical ones."""
        if name.partition(".")[0] in torch_model.TORCH_ROOTS:
            return Dotted(torch_model.reference(name).name)
        return Dotted(name)

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

    # -- names

    def name(self, identifier: str, frame: Frame) -> Value:
        """What a name stands for in a frame."""
        scope: Frame | None = frame
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
        if starred:
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
            elif isinstance(value, Part):
                value = self._part(value)
            else:
                return value

    def _part(self, part: Part) -> Value:
        if part.result is None:
            if part.is_active:
                return Data()
            part.is_active = True
            base = part.base
            if isinstance(base, ModuleOf) and isinstance(part.key, str):
                part.result = self.exported(base.path, part.key)
            else:
                part.result = self.item(self.settled(base), part.key, _NOWHERE, _NO_FRAME)
            part.is_active = False
        return part.result

    # -- attributes

    def attribute(self, base: Value, name: str, site: Site, frame: Frame) -> Value:
        """`base.name`."""
        if isinstance(base, (Waiting, Part)):
            if (
                isinstance(base, Waiting)
                and name in torch_model.TENSOR_MEMBER_NAMES
                and name not in _OF_MODULES
            ):
                # What only a tensor has needs no look at what the call gives.
                return Constant(UNREAD) if name in PLAIN_MEMBERS else Member(base, name, site, frame)
            base = self.settled(base)
        if isinstance(base, Compiled):
            base = self.settled(base.callee)
        if isinstance(base, ModuleOf):
            return self.exported(base.path, name)
        if isinstance(base, Dotted):
            return self.dotted(f"{base.name}.{name}")
        if isinstance(base, Instance):
            return self.instance_attribute(base, name, site, frame)
        if isinstance(base, Parent):
            return self._parent_attribute(base, name, site, frame)
        if isinstance(base, ClassOf):
            found = self.class_attribute(base, name)
            return found if found is not None else Data()
        if isinstance(base, Choice) and any(
            not isinstance(value, (Data, Waiting, Part)) for value in base.values
        ):
            return chosen([self.attribute(value, name, site, frame) for value in base.values])
        if isinstance(base, Constant):
            return Constant(UNREAD)
        if isinstance(base, (Data, Choice)) and name in PLAIN_MEMBERS:
            return Constant(UNREAD)
        return Member(base, name, site, frame)

    def instance_attribute(self, instance: Instance, name: str, site: Site, frame: Frame) -> Value:
        """An attribute of an instance of a project's class."""
        self.make(instance)
        found = instance.attributes.get(name)
        if found is not None:
            return found
        inherited = self.class_attribute(instance.class_of, name)
        if isinstance(inherited, FunctionOf):
            return self._bound(inherited, instance, site, frame)
        if inherited is not None:
            return inherited
        if name == "module" and self.framework_base(instance.class_of):
            return instance
        if not (self.is_member_of_framework(instance.class_of, name) or instance.is_being_made):
            self._assigned_elsewhere(instance, name)
            found = instance.attributes.get(name)
            if found is not None:
                return found
        return Member(instance, name, site, frame)

    def _bound(self, function: FunctionOf, instance: Instance, site: Site, frame: Frame) -> Value:
        decorators = _decorators(function)
        if "staticmethod" in decorators:
            return function
        if "classmethod" in decorators:
            return function.bound(instance.class_of)
        bound = function.bound(instance)
        if decorators & {"property", "cached_property"}:
            return self.call(bound, Arguments(), site, frame)
        return bound

    def _assigned_elsewhere(self, instance: Instance, name: str) -> None:
        """Follow the methods beside `__init__` that give the attribute: a framework may call them."""
        for class_of in self.lineage(instance.class_of):
            for method in class_of.methods.values():
                if (
                    method.name == "__init__"
                    or id(method.node) in self.seeking
                    or not _assigns(method.node, name)
                ):
                    continue
                self.seeking.add(id(method.node))
                result = self.call(
                    method.bound(instance),
                    Arguments.unseen(),
                    Site(method.path, method.node, method.shift),
                    _NO_FRAME,
                )
                self.settled(result)
                self.seeking.discard(id(method.node))
                found = instance.attributes.get(name)
                if found is not None:
                    found.conditions |= {DOUBT}

    def _parent_attribute(self, parent: Parent, name: str, site: Site, frame: Frame) -> Value:
        lineage = self.lineage(parent.instance.class_of) if isinstance(parent.instance, Instance) else []
        after = False
        for class_of in lineage or self.lineage(parent.class_of):
            if after and name in class_of.methods:
                return class_of.methods[name].bound(parent.instance)
            after = after or class_of is parent.class_of
        return Member(parent, name, site, frame)

    # -- classes

    def bases(self, class_of: ClassOf) -> list[Value]:
        """The bases of a class."""
        if class_of.bases is None:
            class_of.bases = []
            frame = class_of.frame
            class_of.bases = [self.settled(self.evaluate(base, frame)) for base in class_of.node.bases]
        return class_of.bases

    def lineage(self, class_of: ClassOf) -> list[ClassOf]:
        """The class and the classes of the project that it derives from, nearest first."""
        found = [class_of]
        for one in found:
            if len(found) > _DEEPEST_CLASSES:
                break
            for base in self.bases(one):
                if isinstance(base, ClassOf) and not any(base is other for other in found):
                    found.append(base)
        return found

    def framework_base(self, class_of: ClassOf) -> str:
        """The framework's class that a class derives from; empty if there is none."""
        for one in self.lineage(class_of):
            for base in self.bases(one):
                if isinstance(base, Dotted) and base.name.partition(".")[0] in FRAMEWORKS:
                    return base.name
        return ""

    def is_member_of_framework(self, class_of: ClassOf, name: str) -> bool:
        """Whether the framework's class that a class derives from has the member."""
        base = self.framework_base(class_of)
        if base.startswith("torch."):
            return name in torch_model.members(base)
        return bool(base) and mindspore_facts().has(f"{base}.{name}")

    def class_attribute(self, class_of: ClassOf, name: str) -> Value | None:
        """What a class, or one that it derives from, binds the name to."""
        for one in self.lineage(class_of):
            if name in one.methods:
                return one.methods[name]
            if one.attributes is None:
                one.attributes = {}
                frame = Frame(one.path, one.shift, one.name, one.frame, None, None)
                self.run([pair for pair in one.body if not isinstance(pair[0], ast.FunctionDef)], frame)
                one.attributes = frame.names
            if name in one.attributes:
                return one.attributes[name]
        return None

    # -- what values are

    def is_layer_class(self, name: str) -> bool:
        """Whether a dotted name is a class of a framework whose instances are called."""
        root = name.partition(".")[0]
        if root == "torch":
            return torch_facts().is_module_class(name)
        if root == "mindspore":
            return mindspore_facts().kind(name) in ("cell_class", "primitive_class")
        return name.startswith(("torchvision.models", "timm."))

    def truth(self, value: Value) -> bool | None:
        """Whether a value counts as true; None where that is not known."""
        if isinstance(value, Part):
            value = self.settled(value)
        if isinstance(value, Constant):
            return None if value.value is UNREAD else bool(value.value)
        if isinstance(value, Items):
            return bool(value.values)
        if isinstance(value, (Instance, Layer, FunctionOf, ClassOf)):
            return True
        return None

    def weights_of(self, value: Value, name: str) -> Value | None:
        """What the methods that list parameters or children give; None for any other name."""
        if name in _WEIGHTS:
            return Weights(value)
        if name in _CHILDREN:
            children = self.children(value)
            if name.startswith("named") or name.endswith("names"):
                children = [Items([Constant(UNREAD), child]) for child in children]
            return Items(children)
        return None

    def children(self, value: Value) -> list[Value]:
        """The layers that a module holds."""
        if isinstance(value, Instance):
            self.make(value)
            held = list(value.attributes.values())
            if value.inherited is not None and value.inherited.items is not None:
                held += value.inherited.items.values
            return [one for one in held if isinstance(one, (Layer, Instance))]
        if isinstance(value, Layer) and value.items is not None:
            return list(value.items.values)
        return []


_OF_MODULES = frozenset(torch_model.members(torch_model.MODULE_CLASS))
_NO_FRAME = Frame("", 0, "", None, None, None)
_NOWHERE = Site("", ast.Pass(), 0)


def _decorators(function: FunctionOf) -> set[str]:
    if isinstance(function.node, ast.Lambda):
        return set()
    found = set()
    for node in function.node.decorator_list:
        part = node.func if isinstance(node, ast.Call) else node
        found.add(
            part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
        )
    return found


def _assigns(node: ast.AST, name: str) -> bool:
    """Whether the function assigns `self.name`, under whatever name it has itself."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Store)
        for part in ast.walk(node)
    )
