"""Attributes, for following a gradient through a project."""

from __future__ import annotations

import ast

from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage import torch_model
from mindport.usage.regions.classes import Classes
from mindport.usage.regions.modules import NO_FRAME
from mindport.usage.regions.values import (
    DOUBT,
    UNREAD,
    BodyRun,
    Choice,
    ClassOf,
    Compiled,
    Constant,
    Data,
    FunctionOf,
    ModuleOf,
    OutsideName,
    OwnInstance,
    Parent,
    PassedValues,
    TreePlace,
    UnaskedItem,
    UncalledMember,
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

    def attribute(self, base: Value, name: str, site: TreePlace, frame: BodyRun) -> Value:
        """`base.name`."""
        if isinstance(base, (Waiting, UnaskedItem)):
            if (
                isinstance(base, Waiting)
                and name in torch_model.TENSOR_MEMBER_NAMES
                and name not in _OF_MODULES
            ):
                # What only a tensor has needs no look at what the call gives.
                return Constant(UNREAD) if name in PLAIN_MEMBERS else UncalledMember(base, name, site, frame)
            base = self.settled(base)
        if isinstance(base, Compiled):
            base = self.settled(base.callee)
        if isinstance(base, ModuleOf):
            return self.namespace(base.path) if name == "__dict__" else self.exported(base.path, name)
        if isinstance(base, OutsideName):
            return self.dotted(f"{base.name}.{name}")
        if isinstance(base, OwnInstance):
            return self.instance_attribute(base, name, site, frame)
        if isinstance(base, Parent):
            return self._parent_attribute(base, name, site, frame)
        if isinstance(base, ClassOf):
            found = self.class_attribute(base, name)
            return found if found is not None else Data()
        if isinstance(base, Choice) and any(
            not isinstance(value, (Data, Waiting, UnaskedItem)) for value in base.values
        ):
            return chosen([self.attribute(value, name, site, frame) for value in base.values])
        if isinstance(base, Constant):
            return Constant(UNREAD)
        if isinstance(base, (Data, Choice)) and name in PLAIN_MEMBERS:
            return Constant(UNREAD)
        return UncalledMember(base, name, site, frame)

    def instance_attribute(self, instance: OwnInstance, name: str, site: TreePlace, frame: BodyRun) -> Value:
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
        return UncalledMember(instance, name, site, frame)

    def _bound(self, function: FunctionOf, instance: OwnInstance, site: TreePlace, frame: BodyRun) -> Value:
        decorators = _decorators(function)
        if "staticmethod" in decorators:
            return function
        if "classmethod" in decorators:
            return function.bound(instance.class_of)
        bound = function.bound(instance)
        if decorators & {"property", "cached_property"}:
            return self.call(bound, PassedValues(), site, frame)
        return bound

    def _assigned_elsewhere(self, instance: OwnInstance, name: str) -> None:
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
                    PassedValues.unseen(),
                    TreePlace(method.path, method.node, method.shift),
                    NO_FRAME,
                )
                self.settled(result)
                self.seeking.discard(id(method.node))
                found = instance.attributes.get(name)
                if found is not None:
                    found.conditions |= {DOUBT}

    def _parent_attribute(self, parent: Parent, name: str, site: TreePlace, frame: BodyRun) -> Value:
        lineage = self.lineage(parent.instance.class_of) if isinstance(parent.instance, OwnInstance) else []
        after = False
        for class_of in lineage or self.lineage(parent.class_of):
            if after and name in class_of.methods:
                return class_of.methods[name].bound(parent.instance)
            after = after or class_of is parent.class_of
        return UncalledMember(parent, name, site, frame)

    def site(self, node: ast.AST, frame: BodyRun) -> TreePlace:
        """The place of a node in a frame."""
        return TreePlace(frame.path, node, frame.shift)

    def plain(self, value: Value, frame: BodyRun) -> Value:
        """A member of data that is not called is an operand like any other."""
        if isinstance(value, UncalledMember) and isinstance(value.receiver, (Data, Waiting, Choice)):
            if value.name == "data":
                cut = Data()
                cut.is_cut = True
                return cut
            return Data((value.receiver,), f".{value.name}", value.site, frame)
        return value

    def compared(self, value: Value) -> Value:
        """A value as far as a comparison looks at it; calls that wait go on waiting."""
        return self.settled(value) if isinstance(value, UnaskedItem) else value


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
        for part in every_node(node)
    )
