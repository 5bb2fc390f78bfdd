"""What members and calls of torch give, as types. Read from the registry; only what annotations cannot say is
written here."""

from __future__ import annotations

from functools import cache

from mindport.registry.returns import ReturnKind, Returns
from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage.torch_model import (
    CLASS_KINDS,
    MODULE_INSTANCE,
    TENSOR_CLASS,
    USUAL_PARAMETERS,
    is_module_class,
    is_tensor_class,
    members,
)
from mindport.usage.types import (
    ARRAY,
    BOOL,
    BYTES,
    BYTES_OF_MASK,
    CALLABLE,
    DEVICE,
    DTYPE,
    FLOAT,
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    INT,
    MASK,
    NONE,
    NUMBER,
    OTHER,
    PARAMETER,
    SIZE,
    STR,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    computed,
    dict_of,
    make,
    sequence_of,
    tuple_of,
    value_of_key,
    weakened,
)

_OF_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.UninitializedParameter"})
_SIMPLE_RESULTS: dict[ReturnKind, Type] = {
    ReturnKind.SIZE: SIZE,
    ReturnKind.INT: INT,
    ReturnKind.FLOAT: FLOAT,
    ReturnKind.BOOL: BOOL,
    ReturnKind.NUMBER: NUMBER,
    ReturnKind.STR: STR,
    ReturnKind.NONE: NONE,
    ReturnKind.DTYPE: DTYPE,
    ReturnKind.DEVICE: DEVICE,
    ReturnKind.NDARRAY: ARRAY,
    ReturnKind.CALLABLE: CALLABLE,
    ReturnKind.OTHER: OTHER,
}
# What annotations leave open, or say too widely for a caller.
_TENSOR_MEMBERS: dict[str, Type] = {
    "shape": SIZE, "dtype": DTYPE, "device": DEVICE, "ndim": INT, "is_cuda": BOOL, "requires_grad": BOOL,
    "layout": OTHER, "grad_fn": OTHER, "name": STR, "names": OTHER, "itemsize": INT, "nbytes": INT, "is_leaf": BOOL,
    "is_sparse": BOOL, "is_mps": BOOL, "is_quantized": BOOL, "is_meta": BOOL, "output_nr": INT,
    "__class__": OTHER, "__dict__": OTHER,
}  # fmt: skip
_TENSOR_ATTRIBUTES_OF_TENSOR = frozenset({"T", "H", "mT", "mH", "data", "grad", "real", "imag", "_grad"})
TENSOR_VALUED_ATTRIBUTES = _TENSOR_ATTRIBUTES_OF_TENSOR
REDUCTIONS_WITH_INDICES = frozenset({"max", "min", "median", "nanmedian"})
_OTHER_MEMBERS: dict[str, Type] = {
    "torch.device.type": STR,
    "torch.device.index": INT,
    "torch.nn.Module.training": BOOL,
    "torch.autograd.Function.saved_tensors": sequence_of(TENSOR),
    "torch.autograd.Function.needs_input_grad": sequence_of(BOOL),
    "torch.optim.Optimizer.param_groups": sequence_of(dict_of(STR, UNKNOWN)),
    "torch.optim.Optimizer.state": dict_of(TENSOR, dict_of(STR, HELD_BY_TORCH)),
    "torch.nn.modules.batchnorm._NormBase.running_mean": TENSOR,
    "torch.nn.modules.batchnorm._NormBase.running_var": TENSOR,
}
# What datasets of torchvision keep of the files that they read.
_OF_DATASETS: dict[str, dict[str, Type]] = {
    "torchvision.datasets.MNIST": dict.fromkeys(
        ("data", "targets", "train_data", "test_data", "train_labels", "test_labels"), TENSOR
    ),
    "torchvision.datasets.CIFAR10": {"data": ARRAY, "targets": sequence_of(INT)},
    "torchvision.datasets.SVHN": {"data": ARRAY, "labels": ARRAY},
    "torchvision.datasets.STL10": {"data": ARRAY, "labels": ARRAY},
    "torchvision.datasets.DatasetFolder": {"targets": sequence_of(INT)},
}
TENSOR_METHODS: dict[str, Type] = {
    "size": SIZE, "dim": INT, "numel": INT, "nelement": INT, "item": NUMBER, "numpy": ARRAY, "tolist": OTHER,
    "stride": OTHER, "element_size": INT, "get_device": INT, "is_contiguous": BOOL, "is_floating_point": BOOL,
    "is_complex": BOOL, "storage_offset": INT, "data_ptr": INT, "register_hook": OTHER, "backward": NONE, "equal": BOOL,
    "allclose": BOOL, "ndimension": INT, "is_pinned": BOOL, "is_shared": BOOL, "tobytes": BYTES,
    "split": sequence_of(TENSOR), "chunk": sequence_of(TENSOR), "unbind": sequence_of(TENSOR),
    "tensor_split": sequence_of(TENSOR), "unsafe_chunk": sequence_of(TENSOR), "hsplit": sequence_of(TENSOR),
    "split_with_sizes": sequence_of(TENSOR), "vsplit": sequence_of(TENSOR), "dsplit": sequence_of(TENSOR),
    "nonzero": TENSOR, "storage": OTHER, "untyped_storage": OTHER,
}  # fmt: skip
NOT_TENSOR_RESULTS = frozenset(TENSOR_METHODS) - {"nonzero"}


@cache
def instance_of(class_name: str, level: int) -> Type:
    """The type of an instance of a torch class."""
    if is_tensor_class(class_name):
        if class_name.endswith("ByteTensor"):
            return weakened(BYTES_OF_MASK, level)
        if class_name.endswith("BoolTensor"):
            return weakened(MASK, level)
        return weakened(PARAMETER, level) if class_name in _OF_PARAMETERS else TENSORS[level]
    return make(Tag.INSTANCE, class_name, level=level)


def type_of_result(result: Returns, receiver: Type, level: int) -> Type:
    """The registry's result as a type; `receiver` stands for SELF."""
    kind = result.kind
    if kind is ReturnKind.TENSOR:
        return TENSORS[level]
    if kind is ReturnKind.SELF:
        return computed(receiver)
    simple = _SIMPLE_RESULTS.get(kind)
    if simple is not None:
        return simple
    if kind is ReturnKind.TUPLE:
        if result.name:
            return make(Tag.INSTANCE, result.name, level=level)
        return tuple_of(type_of_result(item, receiver, level) for item in result.items)
    if kind is ReturnKind.SEQUENCE:
        return sequence_of(type_of_result(result.items[0], receiver, level) if result.items else UNKNOWN)
    if kind is ReturnKind.MAPPING:
        if len(result.items) < 2:
            return UNKNOWN
        return dict_of(*(type_of_result(item, receiver, level) for item in result.items[:2]))
    if kind is ReturnKind.MODULE:
        return weakened(MODULE_INSTANCE, level)
    if kind is ReturnKind.INSTANCE:
        return _instance_result(result.name, level)
    return UNKNOWN


@cache
def _instance_result(name: str, level: int) -> Type:
    facts = torch_facts()
    canonical = facts.canonical(name) or facts.canonical(f"torch.{name}")
    if canonical is None or facts.kind(canonical) not in CLASS_KINDS:
        return UNKNOWN
    return instance_of(canonical, level)


@cache
def member_value(receiver: Type, name: str) -> Type:
    """What `receiver.name` gives for an instance or tensor: a METHOD, or the attribute's type."""
    if receiver.tag is Tag.TENSOR:
        if name in _TENSOR_ATTRIBUTES_OF_TENSOR:
            return receiver
        known = _TENSOR_MEMBERS.get(name)
        if known is not None:
            # Arrays and spaces have a shape as well.
            return weakened(known, GUESSED) if known is SIZE and receiver.level is GUESSED else known
        class_name = TENSOR_CLASS
    else:
        class_name = receiver.name
    canonical = members(class_name).get(name)
    if canonical is None:
        kept = kept_by_dataset(class_name, name)
        if kept is not None:
            return weakened(kept, receiver.level)
        held = module_in(receiver, name)
        if held is not None:
            return held
        # Which module it is may not be known; what modules usually have, it has.
        if not is_module_class(class_name):
            return UNKNOWN
        if name in USUAL_PARAMETERS:
            return weakened(PARAMETER, min(INFERRED, receiver.level))
        made_with = _held_module(receiver, name)
        if made_with is not None:
            return made_with
        return HELD_BY_TORCH if receiver.level > GUESSED else UNKNOWN
    facts = torch_facts()
    kind = facts.kind(canonical)
    if kind is TorchKind.METHOD:
        return make(Tag.METHOD, canonical, (receiver,))
    if class_name.startswith("torch.return_types."):
        return TENSORS[receiver.level]
    known = _OTHER_MEMBERS.get(canonical)
    if known is not None:
        return known
    if name in USUAL_PARAMETERS and is_module_class(class_name):
        return weakened(PARAMETER, receiver.level)
    found = type_of_result(facts.returns(canonical), receiver, receiver.level)
    return found if found is not UNKNOWN else _held_module(receiver, name) or UNKNOWN


def kept_by_dataset(class_name: str, name: str) -> Type | None:
    """What a dataset of torchvision has under a name that it reads from files."""
    facts = torch_facts()
    found = (
        kept[name]
        for root, kept in _OF_DATASETS.items()
        if name in kept and facts.is_subclass(class_name, root)
    )
    return next(found, None) if class_name.startswith("torchvision.datasets.") else None


def _held_module(receiver: Type, name: str) -> Type | None:
    """The module that instances of a class of torch or torchvision are made with; another may have taken its place."""
    held = torch_facts().held_modules(receiver.name)
    if name not in held:
        return None
    level = min(INFERRED, receiver.level)
    places: list[Type] = []
    while f"{name}.{len(places)}" in held:
        places.append(make(Tag.INSTANCE, held[f"{name}.{len(places)}"], level=level))
    return make(Tag.INSTANCE, held[name], tuple(places) if len(places) > 1 else (), level)


def module_in(container: Type, key: str | int) -> Type | None:
    """The module under a key of a ModuleDict, which is an attribute of it, too, or at a place in a Sequential; None
    where that is not known."""
    parts = container.parts
    if isinstance(key, int):
        if len(parts) < 2 or not -len(parts) <= key < len(parts):
            return None
        # A star spreads nobody knows how many: what stands on the other side of it has no place that is known.
        between = parts[: key + 1] if key >= 0 else parts[key:]
        return None if any(one.tag is Tag.SEQUENCE for one in between) else parts[key]
    return value_of_key(parts[0], key) if parts else None


def _tensor_to_tensor() -> frozenset[str]:
    facts = torch_facts()
    found = set()
    for name, canonical in members(TENSOR_CLASS).items():
        if name in NOT_TENSOR_RESULTS or name.startswith("__") or name in REDUCTIONS_WITH_INDICES:
            continue
        if facts.returns(canonical).kind in (ReturnKind.TENSOR, ReturnKind.SELF):
            found.add(name)
    return frozenset(found | {"to", "type", "sum", "mean"})


TENSOR_TO_TENSOR_METHODS = _tensor_to_tensor()
