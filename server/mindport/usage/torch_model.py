"""How torch's names behave as values: what a dotted name refers to, what the members of a class are and give, what a
call returns. Read from the registry; only what annotations cannot say is written here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mindport.registry.returns import ReturnKind, Returns
from mindport.registry.signature import Parameter
from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage.types import (
    ARRAY,
    BOOL,
    BYTES,
    CALLABLE,
    DEVICE,
    DTYPE,
    FLOAT,
    GUESSED,
    HELD_BY_TORCH,
    INFERRED,
    INT,
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

TENSOR_CLASS = "torch.Tensor"
MODULE_CLASS = "torch.nn.Module"
OPTIMIZER_CLASS = "torch.optim.Optimizer"
AUTOGRAD_FUNCTION = "torch.autograd.Function"
TORCH_ROOTS = frozenset({"torch", "torchvision", "torchaudio", "torch_npu", "functorch"})

MODULE_INSTANCE = make(Tag.INSTANCE, MODULE_CLASS)

_CLASS_KINDS = frozenset(
    {
        TorchKind.CLASS,
        TorchKind.MODULE_CLASS,
        TorchKind.OPTIMIZER_CLASS,
        TorchKind.SCHEDULER_CLASS,
        TorchKind.TENSOR_CLASS,
    }
)


class Reference:
    """What a dotted name refers to: its canonical name, its type, and whether it is a public name at all."""

    __slots__ = ("is_known", "name", "type")

    def __init__(self, name: str, kind: Type, is_known: bool) -> None:
        self.name = name
        self.type = kind
        self.is_known = is_known


@cache
def reference(dotted: str) -> Reference:
    """What `torch.…` refers to. A name that is not public has the type UNKNOWN and keeps its spelling."""
    facts = torch_facts()
    root = dotted.partition(".")[0]
    if root not in ("torch", "functorch") and facts.canonical(dotted) is None:
        return _family_reference(dotted)
    if dotted.startswith("torch.ops"):
        return _operator_reference(dotted)
    canonical = facts.canonical(dotted)
    if canonical is None and dotted.startswith("torch._C."):
        canonical = facts.canonical(f"torch.{dotted[9:]}")
    if canonical is None:
        return Reference(dotted, UNKNOWN, False)
    kind = facts.kind(canonical)
    if kind is TorchKind.MODULE:
        return Reference(canonical, make(Tag.TORCH_MODULE, canonical), True)
    if kind in _CLASS_KINDS:
        return Reference(canonical, make(Tag.CLASS, canonical), True)
    if kind is TorchKind.DTYPE:
        return Reference(canonical, DTYPE, True)
    if kind is TorchKind.FUNCTION or kind is TorchKind.METHOD:
        return Reference(canonical, make(Tag.FUNCTION, canonical), True)
    return Reference(canonical, _constant_type(canonical), True)


def _operator_reference(dotted: str) -> Reference:
    """`torch.ops.aten.add`: namespaces and operators that exist only at run time."""
    parts = dotted.split(".")
    if len(parts) <= 3:
        return Reference(dotted, make(Tag.TORCH_MODULE, dotted), True)
    return Reference(dotted, make(Tag.FUNCTION, ".".join(parts[:4])), True)


def _constant_type(name: str) -> Type:
    last = name.rpartition(".")[2]
    if last in ("pi", "inf", "nan", "e"):
        return FLOAT
    if last.startswith("__"):
        return STR
    return OTHER


def _family_reference(dotted: str) -> Reference:
    """torchaudio and torch_npu: packages of the family that no facts are collected of. Of torchvision not all are."""
    last = dotted.rpartition(".")[2]
    if dotted.count(".") == 0 or (last.islower() and dotted.count(".") == 1):
        return Reference(dotted, make(Tag.TORCH_MODULE, dotted), True)
    if last[:1].isupper():
        return Reference(dotted, make(Tag.CLASS, dotted), True)
    return Reference(dotted, make(Tag.FUNCTION, dotted), True)


@cache
def members(class_name: str) -> Mapping[str, str]:
    """Member name -> canonical name, inherited ones included. Empty for a class that is not known."""
    facts = torch_facts()
    return {
        name: facts.member(class_name, name) or f"{class_name}.{name}" for name in facts.members(class_name)
    }


@cache
def is_setting(member: str) -> bool:
    """Whether the member is what an instance was built with, such as the stride of a pooling layer."""
    if torch_facts().kind(member) is not TorchKind.INSTANCE_ATTRIBUTE:
        return False
    return member.rpartition(".")[0] not in (MODULE_CLASS, OPTIMIZER_CLASS)


# What Module and Optimizer themselves read and write: a class that declares or assigns it again still means theirs.
KEPT_ATTRIBUTES = frozenset({"training", "param_groups", "state", "defaults"})


def is_module_class(name: str) -> bool:
    """Whether the torch class is an nn.Module."""
    if name.startswith(("torchvision.models", "torchvision.ops")):
        return True
    return torch_facts().is_module_class(name)


@cache
def is_tensor_class(name: str) -> bool:
    """Whether instances of the class are tensors (Tensor itself, Parameter, FloatTensor ...)."""
    kind = torch_facts().kind(name)
    if kind is TorchKind.TENSOR_CLASS or name in ("torch.autograd.Variable", "torch.nn.Buffer"):
        return True
    return name.endswith("Tensor") and name.startswith(("torch.cuda.", "torch.")) and name.count(".") <= 2


@cache
def is_optimizer_class(name: str) -> bool:
    """Whether the class is an optimizer."""
    return torch_facts().kind(name) is TorchKind.OPTIMIZER_CLASS


_OF_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.UninitializedParameter"})


@cache
def instance_of(class_name: str, level: int) -> Type:
    """The type of an instance of a torch class."""
    if is_tensor_class(class_name):
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


@cache
def _instance_result(name: str, level: int) -> Type:
    facts = torch_facts()
    canonical = facts.canonical(name) or facts.canonical(f"torch.{name}")
    if canonical is None or facts.kind(canonical) not in _CLASS_KINDS:
        return UNKNOWN
    return instance_of(canonical, level)


# -- members

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
        return parts[key] if len(parts) > 1 and -len(parts) <= key < len(parts) else None
    return value_of_key(parts[0], key) if parts else None


USUAL_PARAMETERS = frozenset(
    {"weight", "bias", "running_mean", "running_var", "in_proj_weight", "in_proj_bias"}
)
# What layers say of their sizes.
SIZES_OF_LAYERS = frozenset(
    {
        "in_features",
        "out_features",
        "in_channels",
        "out_channels",
        "num_features",
        "embedding_dim",
        "num_embeddings",
    }
)
# What hardly any module but one kind has: linear layers, norms, recurrent layers.
MEMBERS_OF_ONE_KIND = {
    **{name: f"torch.nn.Linear.{name}" for name in ("in_features", "out_features")},
    **{name: f"torch.nn.BatchNorm2d.{name}" for name in ("running_mean", "running_var")},
    "flatten_parameters": "torch.nn.RNNBase.flatten_parameters",
}
# What nothing else has at all, whatever it is a member of.
NAMED_ONCE = frozenset({"flatten_parameters"})
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
def expects_tensor(name: str) -> tuple[str, ...]:
    """For each parameter of a torch function: "tensor" where only a tensor fits, "tensors" where a list of them
    does, "name" otherwise; parameters by position, with the names in `parameter_names`."""
    facts = torch_facts()
    expected: list[str] = []
    for signature in facts.signatures(name):
        texts = [_expected(parameter) for parameter in signature.parameters]
        if not expected:
            expected = texts
        else:
            expected = [
                first if first == second else "" for first, second in zip(expected, texts, strict=False)
            ]
    return tuple(expected)


@cache
def parameter_names(name: str) -> tuple[str, ...]:
    """The names of the parameters that `expects_tensor` speaks of."""
    signatures = torch_facts().signatures(name)
    return tuple(parameter.name for parameter in signatures[0].parameters) if signatures else ()


_ONE_OR_SEVERAL = re.compile(r"(?:^|\bUnion\[|\| )Tensor(?:,| \||$)")  # `Union[Tensor, Sequence[Tensor]]`


def _expected(parameter: Parameter) -> str:
    if "tensor" in parameter.accepts and all(kind in ("tensor", "none") for kind in parameter.accepts):
        return "tensor"
    annotation = parameter.annotation
    if "Tensor" not in annotation or "[" not in annotation or _ONE_OR_SEVERAL.search(annotation):
        return ""
    return "tensors"


def _member_names() -> frozenset[str]:
    """Names of members of the classes whose receivers have to be inferred."""
    names = set(MEMBERS_OF_ONE_KIND)
    for class_name in (
        TENSOR_CLASS, MODULE_CLASS, OPTIMIZER_CLASS, "torch.nn.ModuleList", "torch.nn.ModuleDict",
        "torch.nn.Sequential",
        "torch.nn.ParameterDict", "torch.nn.ParameterList", "torch.Size", "torch.device", "torch.dtype",
        "torch.Generator",
        "torch.distributions.Distribution", "torch.distributions.Normal", "torch.distributions.Categorical",
        "torch.distributions.Transform",
        "torch.utils.data.DataLoader", "torch.optim.lr_scheduler.LRScheduler", "torch.cuda.Event", "torch.cuda.Stream",
        "torch.autograd.Function", "torch.autograd.function.FunctionCtx", "torch.utils.data.Dataset",
        "torch.amp.GradScaler", "torch.nn.parallel.DistributedDataParallel", "torch.utils.tensorboard.SummaryWriter",
    ):  # fmt: skip
        names.update(members(class_name))
    return frozenset(names - {"__init__", "__dict__", "__doc__", "__class__", "__module__"})


MEMBER_NAMES = _member_names()
TENSOR_MEMBER_NAMES = frozenset(members(TENSOR_CLASS))


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
