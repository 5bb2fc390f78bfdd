"""What torch makes: layers with their weights, containers with their parts, and tensors by their size."""

from __future__ import annotations

from mindport.registry.torch import torch_facts
from mindport.usage.recipe.construction.definitions import Definitions
from mindport.usage.recipe.construction.objects import UNKNOWN, Module, Unknown, Weight
from mindport.usage.recipe.layers import CONTAINERS, layer_sizes

_PARAMETERS = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))
_NEW_TENSORS = frozenset(
    f"torch.{name}" for name in ("zeros", "ones", "empty", "randn", "rand", "full", "Tensor", "FloatTensor")
)


def hold(definitions: Definitions, module: Module, key: object, value: object) -> None:
    """Set an attribute; a value that may be a module and is not known leaves the count open, and so does a key that is
    not known."""
    if isinstance(key, Unknown):
        module.is_understood = False
        return
    name = str(key)
    if isinstance(value, Weight) or (isinstance(value, Module) and value.name not in definitions.records):
        module.parts[name] = value
    elif isinstance(value, Unknown):
        module.attributes[name] = value
        if module.name in CONTAINERS:
            module.is_understood = False
    else:
        module.parts.pop(name, None)
        module.attributes[name] = value


def layer(
    definitions: Definitions, api: str, positional: list[object], keywords: dict[str, object]
) -> Module:
    """A layer or container of torch.nn."""
    name = api.rpartition(".")[2]
    made = Module(name)
    if name in CONTAINERS:
        for key, value in _contents(positional):
            hold(definitions, made, key, value)
        return made
    signatures = torch_facts().signatures(api)
    names = [parameter.name for parameter in signatures[0].parameters] if signatures else []
    sizes = layer_sizes(name, names, positional, keywords)
    made.is_understood = sizes is not None
    made.parts.update({key: Weight(size) for key, size in (sizes or {}).items()})
    made.attributes.update(zip(names, positional, strict=False))
    made.attributes.update(keywords)
    return made


def tensor(api: str, positional: list[object]) -> Weight | None:
    """A parameter or new tensor; None for another torch name."""
    if api in _PARAMETERS:
        first = positional[0] if positional else UNKNOWN
        return Weight(first.size if isinstance(first, Weight) else None)
    if api in _NEW_TENSORS:
        return Weight(_numbers(positional, is_full=api.endswith("full")))
    return None


def _contents(positional: list[object]) -> list[tuple[object, object]]:
    """What a container is made with, by its names there."""
    items: list[tuple[object, object]] = []
    for item in positional:
        if isinstance(item, dict):
            items += item.items()
        elif isinstance(item, list | tuple):
            items += [(str(len(items) + index), value) for index, value in enumerate(item)]
        else:
            items.append((str(len(items)), item))
    return items


def _numbers(positional: list[object], is_full: bool) -> int | None:
    """The product of the sizes that a tensor is made with."""
    sizes: list[object] = list(positional[:1]) if is_full else list(positional)
    if len(sizes) == 1 and isinstance(sizes[0], list | tuple):
        sizes = list(sizes[0])
    total = 1
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int):
            return None
        total *= size
    return total
