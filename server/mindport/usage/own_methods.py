"""Finds the method of torch behind a name that is called on the project's own objects: one that the project defines in
the place of torch's has a new name in MindSpore, and so have its calls."""

from __future__ import annotations

import ast

from mindport.usage import torch_model
from mindport.usage.overrides import CALLED_BY_TORCH, takes_calls_of
from mindport.usage.resolve import Resolver
from mindport.usage.types import GUESSED, INFERRED, PROVED, Tag, Type, is_vague, make, members
from mindport.usage.variables import MODULE_LEVEL_NAMES, Op, Site, Value, Variable

TRAINING_METHODS = frozenset({"backward", "parameters", "scale", "step", "unscale_", "update", "zero_grad"})
"""Methods by which a training step is known, on whatever they are called."""

SWITCHES_OF_MODES = frozenset({"torch.nn.Module.eval", "torch.nn.Module.train"})

LISTS_PARAMETERS = frozenset({"torch.nn.Module.named_parameters", "torch.nn.Module.parameters"})

KEEPS_STATES = frozenset(
    f"torch.{kind}.{name}"
    for kind in ("nn.Module", "optim.Optimizer", "optim.lr_scheduler.LRScheduler")
    for name in ("state_dict", "load_state_dict")
)
_ITEMS = (Op.ELEMENT, Op.ITEM)

_FORWARD = "torch.nn.Module.forward"
_PROJECT_TAGS = frozenset({Tag.PROJECT_INSTANCE, Tag.PROJECT_CLASS, Tag.SUPER})


def is_own_method(kind: Type, name: str, resolver: Resolver) -> bool:
    """Whether a class of the project defines the method that a value of this type has under a name, or may."""
    return any(
        part.tag is Tag.PROJECT_INSTANCE and resolver.defines(part.name, name) for part in members(kind)
    )


def switches_modes(resolver: Resolver) -> bool:
    """Whether a class of the project that is no module, such as an agent of two networks, has torch's `train(mode)`, or
    `train()` and `eval()`: what is called so may be one of either. A `train()` alone is a loop, and no switch."""
    callable_so = {}
    for name in ("train", "eval"):
        resolver.world.note(("overrides", name))
        callable_so[name] = [
            method
            for method in resolver.world.methods(name)
            if takes_calls_of(method, f"torch.nn.Module.{name}")
            and not resolver.is_module(make(Tag.PROJECT_CLASS, method.class_key))
        ]
    if any(method.parameters for method in callable_so["train"]):
        return True
    classes = ({method.class_key for method in found} for found in callable_so.values())
    return bool(set.intersection(*classes))


def trains_what_it_is_given(resolver: Resolver) -> bool:
    """Whether a class of the project that is no module has a `train` that has to be given something, as the setting of
    an experiment: what `x.train(y)` means where nothing else tells of `x` may be this."""
    resolver.world.note(("overrides", "train"))
    return any(
        any(one.kind == 0 and one.default is None for one in method.parameters.values())
        and not takes_calls_of(method, "torch.nn.Module.train")
        and not resolver.is_module(make(Tag.PROJECT_CLASS, method.class_key))
        for method in resolver.world.methods("train")
    )


def is_method_of_some(resolver: Resolver, api: str) -> bool:
    """Whether some class of the project, network or not, has a method that can be called as this one of torch's, and
    gives what torch's gives: `mac.parameters()` may ask a controller of several networks."""
    name = api.rpartition(".")[2]
    resolver.world.note(("overrides", name))
    return any(takes_calls_of(method, api) for method in resolver.world.methods(name))


def is_one_of_several(site: Site, apis: set[str], level: int, is_of_some: bool) -> bool:
    """Whether what has the method may be of several kinds: by its type, or as one thing of a container, or found by its
    name, of which nothing is known (`for name, part in self.parts.items()`, `getattr(self, name)`). `is_of_some` tells
    whether it is a module by what is asked of it alone, and the project has the method itself."""
    if len(apis) > 1:
        return True
    # Of what a caller puts into a container beside an optimizer less may be known than of the optimizer.
    may_be_other = is_of_some or any("optim" in api for api in apis)
    is_unsure = level <= GUESSED or (level <= INFERRED and may_be_other)
    return is_unsure and any(map(_is_found, _sources(site.value)))


def _sources(value: Value | None) -> list[Value | None]:
    """Where a value may come from: what is joined, and what a pair was taken from."""
    if isinstance(value, Variable) and value.op in (Op.UNPACK, Op.EXCEPT, Op.ONLY):
        return _sources(value.base)
    if isinstance(value, Variable) and value.op is Op.JOIN:
        return [source for part in (value.base, *value.detail) for source in _sources(part)]
    return [value]


def _is_found(value: Value | None) -> bool:
    """Whether a value is an item of a container, or was looked up by a name."""
    return isinstance(value, Variable) and (value.op in _ITEMS or _is_looked_up(value))


def _is_looked_up(value: Value | None) -> bool:
    """Whether a value is an attribute with a name that the code computes, `getattr(self, name)`, also by a function of
    the project's that is called like this one (`recursive_getattr(self, name)`), or a part of such a thing."""
    if not isinstance(value, Variable):
        return False
    if value.op is Op.ATTRIBUTE:
        return not value.name or _is_looked_up(value.base)
    return value.op is Op.CALL and getattr(value.base, "name", "").rpartition(".")[2].endswith("getattr")


def method_meant(site: Site, kind: Type, resolver: Resolver, in_module: bool) -> tuple[str, int] | None:
    """The method of torch in whose place the project's own stands that a name means on a value of this type, and how
    sure that is; None for any other method. `in_module`: the place is in a class that derives from torch's Module."""
    if kind.tag is Tag.CLASS and site.name in CALLED_BY_TORCH and torch_model.is_module_class(kind.name):
        api = torch_model.members(kind.name).get(site.name, f"torch.nn.Module.{site.name}")
        return api, PROVED  # `nn.Conv2d.forward(self, x)`, `nn.Module.train(self, mode)`
    own = [part for part in members(kind) if part.tag in _PROJECT_TAGS]
    for part in own:
        api = resolver.overriding(part, site.name)
        if api:
            return api, min(part.level, INFERRED) if kind.tag is Tag.UNION else part.level
    if own and site.name == "forward" and all(map(resolver.has_abstract_forward, own)):
        return _FORWARD, PROVED
    is_known = bool(own) or (kind.level > GUESSED and not is_vague(kind))
    if is_known or not in_module or site.name != "forward" or site.call is None or not _is_object(site):
        return None
    # `layer.forward(x)` inside a network can only be a part of it, wherever the part comes from.
    return _FORWARD, INFERRED


def _is_object(site: Site) -> bool:
    """Whether what is before the dot is written as an object that a function has, and no class or module:
    `self.layers[0]`, `layer`, not `Function` or `ops.Function`."""
    root = site.node.value if isinstance(site.node, ast.Attribute) else site.node
    if isinstance(root, ast.Attribute) and not root.attr[:1].islower():
        return False
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if not isinstance(root, ast.Name) or not root.id[:1].islower() or root.id == "cls":
        return False
    value = site.value
    while isinstance(value, Variable) and value.op in (Op.ATTRIBUTE, Op.ITEM, Op.ELEMENT):
        value = value.base
    return not isinstance(value, Variable) or value.op not in (*MODULE_LEVEL_NAMES, Op.IMPORT)
