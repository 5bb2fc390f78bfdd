"""Functions that are handed to `apply` of a network, which calls them with its modules, unless the project has a method
of its own of that name: that one hands its argument what it wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindport.usage import torch_model
from mindport.usage.types import Tag, Type, make

if TYPE_CHECKING:
    from mindport.usage.classes import ClassGraph


def applies_otherwise(classes: ClassGraph, base: Type) -> bool:
    """Whether `base.apply(f)` is a method of the project's own that does not call torch's, or may be one."""
    classes.world.note(("overrides", "apply"))
    own = [method for method in classes.world.methods("apply") if not method.hands_on]
    if base.tag in (Tag.PROJECT_INSTANCE, Tag.SUPER):
        holder = classes.holder(base.name, "apply", base.tag is Tag.SUPER)
        return holder is not None and any(method.class_key == holder.name for method in own)
    is_any = base.tag is Tag.INSTANCE and base.name == torch_model.MODULE_CLASS
    return is_any and any(classes.is_module(make(Tag.PROJECT_CLASS, one.class_key)) for one in own)
