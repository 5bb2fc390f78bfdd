"""Classes of the project and what they derive from, and what a module of either framework holds."""

from __future__ import annotations

import ast

from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage import torch_model
from mindport.usage.regions.modules import Modules
from mindport.usage.regions.values import (
    UNREAD,
    BodyRun,
    ClassOf,
    Constant,
    FunctionOf,
    Items,
    Layer,
    OutsideName,
    OwnInstance,
    UnaskedItem,
    Value,
    Weights,
)

FRAMEWORKS = ("torch", "mindspore")
_DEEPEST_CLASSES = 12
_WEIGHTS = frozenset(
    {"parameters", "named_parameters", "trainable_params", "get_parameters", "parameters_and_names",
     "parameters_dict", "state_dict", "untrainable_params", "get_parameter"}
)  # fmt: skip
_CHILDREN = frozenset(
    {"children", "modules", "cells", "named_children", "named_modules", "cells_and_names", "name_cells"}
)


class Classes(Modules):
    """What the header of a class tells, and the parts of a module."""

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
                if isinstance(base, OutsideName) and base.name.partition(".")[0] in FRAMEWORKS:
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
                frame = BodyRun(one.path, one.shift, one.name, one.frame, None, None)
                self.run([pair for pair in one.body if not isinstance(pair[0], ast.FunctionDef)], frame)
                one.attributes = frame.names
            if name in one.attributes:
                return one.attributes[name]
        return None

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
        if isinstance(value, UnaskedItem):
            value = self.settled(value)
        if isinstance(value, Constant):
            return None if value.value is UNREAD else bool(value.value)
        if isinstance(value, Items):
            return bool(value.values)
        if isinstance(value, (OwnInstance, Layer, FunctionOf, ClassOf)):
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
        if isinstance(value, OwnInstance):
            self.make(value)
            held = list(value.attributes.values())
            if value.inherited is not None and value.inherited.items is not None:
                held += value.inherited.items.values
            return [one for one in held if isinstance(one, (Layer, OwnInstance))]
        if isinstance(value, Layer) and value.items is not None:
            return list(value.items.values)
        return []
