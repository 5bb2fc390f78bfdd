"""Methods of lists, mappings, texts, weights and modules that need no code of the project."""

from __future__ import annotations

from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.objects import UNKNOWN, Module, Weight
from mindport.usage.recipe.construction.operations import applied
from mindport.usage.recipe.construction.torch_objects import hold

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
_SAME_MODULE = frozenset(("to", "cuda", "cpu", "train", "eval", "half", "float", "apply", "requires_grad_"))


def value_method(owner: object, name: str, positional: list[object]) -> object:
    """The answer of a method of anything but a module; None where it is not understood, or is None."""
    if isinstance(owner, list):
        if name == "append" and positional:
            owner.append(positional[0])
            return UNKNOWN
        if name == "extend" and positional and isinstance(positional[0], list | tuple):
            owner.extend(positional[0])
            return UNKNOWN
        if name in ("insert", "pop", "copy", "index", "count"):
            return applied(getattr(owner, name), *positional)
    if isinstance(owner, dict):
        if name in ("get", "pop"):
            return applied(getattr(owner, name), *positional)
        if name in ("items", "values", "keys"):
            return list(getattr(owner, name)())
        if name == "update" and positional and isinstance(positional[0], dict):
            owner.update(positional[0])
            return UNKNOWN
    if isinstance(owner, str) and name in ("lower", "upper", "startswith", "endswith", "split"):
        return applied(getattr(owner, name), *positional)
    if isinstance(owner, Weight):
        return owner if name in _SAME_SIZE else UNKNOWN
    return None


def torch_method(definitions: Definitions, module: Module, name: str, positional: list[object]) -> object:
    """The answer of a method that modules have of torch; None where the class itself may define it."""
    if name == "append" and positional:
        hold(definitions, module, str(len(module.parts)), positional[0])
        return module
    if name == "extend" and positional and isinstance(positional[0], list | tuple):
        for item in positional[0]:
            hold(definitions, module, str(len(module.parts)), item)
        return module
    if name in ("add_module", "register_module", "register_parameter") and len(positional) == 2:
        hold(definitions, module, positional[0], positional[1])
        return UNKNOWN
    return module if name in _SAME_MODULE else None
