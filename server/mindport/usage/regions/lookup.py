"""Attributes, for following a gradient through a project."""

from __future__ import annotations

import ast

from mindport.source.written_names import last_name
from mindport.usage import torch_model
from mindport.usage.regions.classes import Classes
from mindport.usage.regions.modules import NO_FRAME
from mindport.usage.regions.values import (
    DOUBT,
    UNREAD,
    Arguments,
    Choice,
    ClassOf,
    Compiled,
    Constant,
    Data,
    Dotted,
    Frame,
    FunctionOf,
    Instance,
    Member,
    ModuleOf,
    Parent,
    Part,
    Site,
    Value,
    Waiting,
    chosen,
)

# Members of a tensor that say something about it and carry no gradient.
PLAIN_MEMBERS = frozenset(
    {"shape", "size", "dim", "ndim", "device", "dtype", "numel", "nelement", "is_cuda", "requires_grad", "item",
     "is_leaf", "grad_fn", "layout", "itemsize", "tolist", "numpy", "asnumpy", "ndimension", "get_device", "type_as_",
     "is_contiguous", "stride", "strides", "names", "is_floating_point", "argmax", "argmin", "argsort", "nonzero"}
)  # fmt: skip
_OF_MODULES = frozenset(torch_model.members(torch_model.MODULE_CLASS))


class Lookup(Classes):
    """What attributes stand for."""

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
                    NO_FRAME,
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

    def site(self, node: ast.AST, frame: Frame) -> Site:
        """The place of a node in a frame."""
        return Site(frame.path, node, frame.shift)

    def plain(self, value: Value, frame: Frame) -> Value:
        """A member of data that is not called is an operand like any other."""
        if isinstance(value, Member) and isinstance(value.receiver, (Data, Waiting, Choice)):
            if value.name == "data":
                cut = Data()
                cut.is_cut = True
                return cut
            return Data((value.receiver,), f".{value.name}", value.site, frame)
        return value

    def compared(self, value: Value) -> Value:
        """A value as far as a comparison looks at it; calls that wait go on waiting."""
        return self.settled(value) if isinstance(value, Part) else value


def _decorators(function: FunctionOf) -> set[str]:
    if isinstance(function.node, ast.Lambda):
        return set()
    found = set()
    for node in function.node.decorator_list:
        part = node.func if isinstance(node, ast.Call) else node
        found.add(last_name(part))
    return found


def _assigns(node: ast.AST, name: str) -> bool:
    """Whether the function assigns `self.name`, under whatever name it has itself."""
    return any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Store)
        for part in ast.walk(node)
    )
