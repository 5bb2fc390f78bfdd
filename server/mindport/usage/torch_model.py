"""How torch's names behave as values: what a dotted name refers to, what the members of a class are and give, what a
call returns. Read from the registry; only what annotations cannot say is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from mindport.registry.returns import ReturnKind, Returns
from mindport.registry.signature import Parameter
from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage.types import (
    BOOL,
    BYTES,
    CALLABLE,
    DEVICE,
    DTYPE,
    FLOAT,
    INFERRED,
    INT,
    NDARRAY,
    NONE,
    NUMBER,
    NUMERIC,
    OTHER,
    SIZE,
    STR,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    dict_of,
    join,
    make,
    sequence_of,
    tuple_of,
    weakened,
)

TENSOR_CLASS = "torch.Tensor"
MODULE_CLASS = "torch.nn.Module"
OPTIMIZER_CLASS = "torch.optim.Optimizer"
TORCH_ROOTS = frozenset({"torch", "torchvision", "torchaudio", "torch_npu", "functorch"})

MODULE_INSTANCE = make(Tag.INSTANCE, MODULE_CLASS)

_CLASS_KINDS = frozenset(
    {TorchKind.CLASS, TorchKind.MODULE_CLASS, TorchKind.OPTIMIZER_CLASS, TorchKind.SCHEDULER_CLASS, TorchKind.TENSOR_CLASS}
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
    if root not in ("torch", "functorch"):
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
    """torchvision, torchaudio and torch_npu: packages of the family that no facts are collected of."""
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
    return {name: facts.member(class_name, name) or f"{class_name}.{name}" for name in facts.members(class_name)}


@cache
def is_setting(member: str) -> bool:
    """Whether the member is what an instance was built with, such as the stride of a pooling layer."""
    if torch_facts().kind(member) is not TorchKind.INSTANCE_ATTRIBUTE:
        return False
    return member.rpartition(".")[0] not in (MODULE_CLASS, OPTIMIZER_CLASS)


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


@cache
def instance_of(class_name: str, level: int) -> Type:
    """The type of an instance of a torch class."""
    if is_tensor_class(class_name):
        return TENSORS[level]
    return make(Tag.INSTANCE, class_name, level=level)


def type_of_result(result: Returns, receiver: Type, level: int) -> Type:
    """The registry's result as a type; `receiver` stands for SELF."""
    kind = result.kind
    if kind is ReturnKind.TENSOR:
        return TENSORS[level]
    if kind is ReturnKind.SELF:
        return receiver
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
    ReturnKind.NDARRAY: NDARRAY,
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
_REDUCTIONS_WITH_INDICES = frozenset({"max", "min", "median", "nanmedian"})


@cache
def member_value(receiver: Type, name: str) -> Type:
    """What `receiver.name` gives for an instance or tensor: a METHOD, or the attribute's type."""
    if receiver.tag is Tag.TENSOR:
        if name in _TENSOR_ATTRIBUTES_OF_TENSOR:
            return receiver
        known = _TENSOR_MEMBERS.get(name)
        if known is not None:
            return known
        class_name = TENSOR_CLASS
    else:
        class_name = receiver.name
    canonical = members(class_name).get(name)
    if canonical is None:
        # Which module it is may not be known; what modules usually have, it has.
        return TENSORS[INFERRED] if name in USUAL_PARAMETERS and is_module_class(class_name) else UNKNOWN
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
        return TENSORS[receiver.level]
    return type_of_result(facts.returns(canonical), receiver, receiver.level)


USUAL_PARAMETERS = frozenset({"weight", "bias", "running_mean", "running_var", "in_proj_weight", "in_proj_bias"})
_OTHER_MEMBERS: dict[str, Type] = {
    "torch.device.type": STR,
    "torch.device.index": INT,
    "torch.nn.Module.training": BOOL,
    "torch.optim.Optimizer.param_groups": sequence_of(dict_of(STR, UNKNOWN)),
    "torch.optim.Optimizer.state": dict_of(TENSOR, dict_of(STR, UNKNOWN)),
    "torch.nn.modules.batchnorm._NormBase.running_mean": TENSOR,
    "torch.nn.modules.batchnorm._NormBase.running_var": TENSOR,
}

_SELF_METHODS = frozenset(
    ["to", "cuda", "cpu", "half", "float", "double", "train", "eval", "apply", "requires_grad_", "type", "xpu", "bfloat16", "to_empty", "share_memory"]
)
_MODULE_METHODS: dict[str, Type] = {
    "parameters": sequence_of(TENSOR),
    "buffers": sequence_of(TENSOR),
    "named_parameters": sequence_of(tuple_of((STR, TENSOR))),
    "named_buffers": sequence_of(tuple_of((STR, TENSOR))),
    "modules": sequence_of(MODULE_INSTANCE),
    "children": sequence_of(MODULE_INSTANCE),
    "named_modules": sequence_of(tuple_of((STR, MODULE_INSTANCE))),
    "named_children": sequence_of(tuple_of((STR, MODULE_INSTANCE))),
    "state_dict": dict_of(STR, TENSOR),
    "get_parameter": TENSOR,
    "get_buffer": TENSOR,
    "get_submodule": MODULE_INSTANCE,
    "load_state_dict": OTHER,
    "register_forward_hook": OTHER,
    "zero_grad": NONE,
}
_TENSOR_METHODS: dict[str, Type] = {
    "size": SIZE, "dim": INT, "numel": INT, "nelement": INT, "item": NUMBER, "numpy": NDARRAY, "tolist": OTHER,
    "stride": OTHER, "element_size": INT, "get_device": INT, "is_contiguous": BOOL, "is_floating_point": BOOL,
    "is_complex": BOOL, "storage_offset": INT, "data_ptr": INT, "register_hook": OTHER, "backward": NONE, "equal": BOOL,
    "allclose": BOOL, "ndimension": INT, "is_pinned": BOOL, "is_shared": BOOL, "tobytes": BYTES,
    "split": sequence_of(TENSOR), "chunk": sequence_of(TENSOR), "unbind": sequence_of(TENSOR),
    "tensor_split": sequence_of(TENSOR), "unsafe_chunk": sequence_of(TENSOR), "hsplit": sequence_of(TENSOR),
    "split_with_sizes": sequence_of(TENSOR), "vsplit": sequence_of(TENSOR), "dsplit": sequence_of(TENSOR),
    "nonzero": TENSOR, "storage": OTHER, "untyped_storage": OTHER,
}  # fmt: skip
_NOT_TENSOR_RESULTS = frozenset(_TENSOR_METHODS) - {"nonzero"}


def call_method(method: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling a METHOD gives."""
    receiver = method.parts[0]
    name = method.name.rpartition(".")[2]
    if receiver.tag is Tag.TENSOR:
        return _call_tensor_method(receiver, name, method.name, positional, keywords)
    if is_module_class(receiver.name):
        if name in _SELF_METHODS:
            return receiver
        known = _MODULE_METHODS.get(name)
        if known is not None:
            return weakened(known, receiver.level)
        if name == "forward":
            return call_instance(receiver, positional, keywords)
        if receiver.name == "torch.nn.ModuleDict" and name in ("items", "values"):
            module = MODULE_INSTANCE
            return sequence_of(tuple_of((STR, module)) if name == "items" else module)
        if receiver.name == "torch.nn.ParameterDict" and name in ("items", "values"):
            return sequence_of(tuple_of((STR, TENSOR)) if name == "items" else TENSOR)
    if name == "size" and receiver is SIZE:
        return INT
    if name in ("sample", "rsample", "log_prob", "entropy", "cdf", "icdf") and ".distributions." in method.name:
        return TENSORS[receiver.level]
    return type_of_result(torch_facts().returns(method.name), receiver, receiver.level)


def _call_tensor_method(
    receiver: Type, name: str, canonical: str, positional: Sequence[Type], keywords: Mapping[str, Type]
) -> Type:
    known = _TENSOR_METHODS.get(name)
    if known is not None:
        if name == "size" and (positional or "dim" in keywords):
            return INT
        return weakened(known, receiver.level)
    if name in _REDUCTIONS_WITH_INDICES:
        return _reduction(name, positional, keywords, receiver.level)
    if name == "type" and not positional and not keywords:
        return STR
    if name == "unique" or name == "unique_consecutive":
        return _unique(keywords, receiver.level)
    if name.startswith("__"):
        return UNKNOWN
    result = type_of_result(torch_facts().returns(canonical), receiver, receiver.level)
    return TENSORS[receiver.level] if result is UNKNOWN else result


def _reduction(name: str, positional: Sequence[Type], keywords: Mapping[str, Type], level: int) -> Type:
    """max, min and median: a pair when a dimension is given, else one tensor."""
    if "dim" in keywords or (positional and positional[0].tag in NUMERIC):
        return make(Tag.INSTANCE, f"torch.return_types.{name}", level=level)
    return TENSORS[level]


def _unique(keywords: Mapping[str, Type], level: int) -> Type:
    if "return_inverse" in keywords or "return_counts" in keywords:
        return sequence_of(TENSORS[level])
    return TENSORS[level]


TENSOR_FIRST_FUNCTIONS = frozenset({"torch.clone", "torch.detach"})
_SAME_AS_FIRST = frozenset(
    {"torch.compile", "torch.jit.script", "torch.jit.trace", "torch.nn.utils.spectral_norm", "torch.nn.utils.weight_norm",
     "torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.parametrizations.weight_norm",
     "torch.nn.utils.parametrizations.orthogonal", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
     "torch.quantization.prepare", "torch.quantization.convert", "torch.nn.utils.remove_weight_norm",
     "torch.nn.SyncBatchNorm.convert_sync_batchnorm"}
)  # fmt: skip
_FUNCTIONS: dict[str, Type] = {
    "torch.device": DEVICE,
    "torch.load": UNKNOWN,
    "torch.utils.checkpoint.checkpoint": UNKNOWN,
    "torch.utils.checkpoint.checkpoint_sequential": UNKNOWN,
    "torch.split": sequence_of(TENSOR),
    "torch.chunk": sequence_of(TENSOR),
    "torch.unbind": sequence_of(TENSOR),
    "torch.meshgrid": sequence_of(TENSOR),
    "torch.broadcast_tensors": sequence_of(TENSOR),
    "torch.tensor_split": sequence_of(TENSOR),
    "torch.autograd.grad": sequence_of(TENSOR),
    "torch.where": TENSOR,
    "torch.nn.functional.multi_head_attention_forward": tuple_of((TENSOR, TENSOR)),
    "torch.linalg.qr": tuple_of((TENSOR, TENSOR)),
    "torch.hub.load": MODULE_INSTANCE,
}


def call_function(name: str, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling the torch function gives."""
    if name in _SAME_AS_FIRST:
        return positional[0] if positional else UNKNOWN
    known = _FUNCTIONS.get(name)
    if known is not None:
        return known
    head, _, last = name.rpartition(".")
    if head == "torch":
        if last in _REDUCTIONS_WITH_INDICES:
            return _reduction(last, positional[1:], keywords, 3)
        if last == "unique" or last == "unique_consecutive":
            return _unique(keywords, 3)
    elif head == "torch.nn.functional":
        if last.startswith(("max_pool", "adaptive_max_pool", "fractional_max_pool")):
            return tuple_of((TENSOR, TENSOR)) if "return_indices" in keywords else TENSOR
    elif head == TENSOR_CLASS:
        receiver = positional[0] if positional and positional[0].tag is Tag.TENSOR else TENSOR
        return _call_tensor_method(receiver, last, name, positional[1:], keywords)
    elif head.startswith("torch.nn.init") or head == "torch.utils.dlpack":
        return TENSOR
    elif name.startswith("torchvision."):
        return _torchvision_result(name, positional)
    return _function_result(name)


@cache
def _function_result(name: str) -> Type:
    result = type_of_result(torch_facts().returns(name), UNKNOWN, 3)
    if result is UNKNOWN and name.count(".") == 1 and torch_facts().kind(name) is TorchKind.FUNCTION:
        return UNKNOWN
    return result


def _torchvision_result(name: str, positional: Sequence[Type]) -> Type:
    if name.startswith("torchvision.models."):
        return MODULE_INSTANCE
    if name.startswith("torchvision.ops.") and name.rpartition(".")[2].islower():
        return TENSOR
    if name.startswith("torchvision.transforms") and positional:
        return positional[0]
    return UNKNOWN


_RECURRENT = frozenset({"torch.nn.RNN", "torch.nn.GRU", "torch.nn.LSTM"})
_TENSOR_PAIR = tuple_of((TENSOR, TENSOR))
_CALLED: dict[str, Type] = {
    "torch.nn.RNN": _TENSOR_PAIR,
    "torch.nn.GRU": _TENSOR_PAIR,
    "torch.nn.LSTM": tuple_of((TENSOR, _TENSOR_PAIR)),
    "torch.nn.LSTMCell": _TENSOR_PAIR,
    "torch.nn.MultiheadAttention": _TENSOR_PAIR,
    "torch.nn.Module": UNKNOWN,
    "torch.nn.ModuleList": UNKNOWN,
    "torch.nn.DataParallel": UNKNOWN,
    "torch.nn.parallel.DistributedDataParallel": UNKNOWN,
}


def call_instance(receiver: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling an instance of a torch class gives: the result of `forward` for a module."""
    name = receiver.name
    if not is_module_class(name):
        return UNKNOWN
    known = _CALLED.get(name)
    if known is not None:
        return known
    if name == "torch.nn.Identity" and positional:
        return positional[0]
    level = INFERRED if name == "torch.nn.Sequential" else receiver.level
    return TENSORS[min(level, receiver.level)]


@cache
def item_of_instance(receiver: Type, is_slice: bool) -> Type:
    """`receiver[index]` for an instance of a torch class."""
    name = receiver.name
    if receiver is SIZE:
        return SIZE if is_slice else INT
    if name.startswith("torch.return_types."):
        return TENSORS[receiver.level]
    if name in ("torch.nn.Sequential", "torch.nn.ModuleList"):
        return receiver if is_slice else MODULE_INSTANCE
    if name == "torch.nn.ModuleDict":
        return MODULE_INSTANCE
    if name in ("torch.nn.ParameterList", "torch.nn.ParameterDict"):
        return TENSOR
    return UNKNOWN


@cache
def element_of_instance(receiver: Type) -> Type:
    """What iterating over an instance of a torch class gives."""
    if receiver.name in ("torch.nn.ModuleDict", "torch.nn.ParameterDict"):
        return STR
    return item_of_instance(receiver, False)


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
            expected = [first if first == second else "" for first, second in zip(expected, texts)]
    return tuple(expected)


@cache
def parameter_names(name: str) -> tuple[str, ...]:
    """The names of the parameters that `expects_tensor` speaks of."""
    signatures = torch_facts().signatures(name)
    return tuple(parameter.name for parameter in signatures[0].parameters) if signatures else ()


def _expected(parameter: Parameter) -> str:
    if "tensor" in parameter.accepts and all(kind in ("tensor", "none") for kind in parameter.accepts):
        return "tensor"
    return "tensors" if "Tensor" in parameter.annotation and "[" in parameter.annotation else ""


def _member_names() -> frozenset[str]:
    """Names of members of the classes whose receivers have to be inferred."""
    names: set[str] = set()
    for class_name in (
        TENSOR_CLASS, MODULE_CLASS, OPTIMIZER_CLASS, "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential",
        "torch.nn.ParameterDict", "torch.nn.ParameterList", "torch.Size", "torch.device", "torch.dtype", "torch.Generator",
        "torch.distributions.Distribution", "torch.distributions.Normal", "torch.distributions.Categorical",
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
        if name in _NOT_TENSOR_RESULTS or name.startswith("__") or name in _REDUCTIONS_WITH_INDICES:
            continue
        if facts.returns(canonical).kind in (ReturnKind.TENSOR, ReturnKind.SELF):
            found.add(name)
    return frozenset(found | {"to", "type", "sum", "mean"})


TENSOR_TO_TENSOR_METHODS = _tensor_to_tensor()


def joined_level(first: Type, second: Type) -> int:
    """How sure a result is that comes from both."""
    return join(first, second).level
