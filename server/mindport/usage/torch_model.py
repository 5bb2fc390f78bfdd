"""What torch's names refer to, which members its classes have, and what their parameters take, as the registry says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mindport.registry.signature import Parameter
from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage import python_model
from mindport.usage.types import (
    DTYPE,
    DTYPE_OF_BYTES,
    DTYPE_OF_TRUTH,
    FLOAT,
    OTHER,
    STR,
    UNKNOWN,
    Tag,
    Type,
    make,
)

TENSOR_CLASS = "torch.Tensor"
_DTYPES = {"torch.uint8": DTYPE_OF_BYTES, "torch.bool": DTYPE_OF_TRUTH}
MODULE_CLASS = "torch.nn.Module"
DICTIONARIES_OF_MODULES = frozenset(
    ("_modules", "_parameters", "_buffers")
)  # what a module has, by its names
OPTIMIZER_CLASS = "torch.optim.Optimizer"
DATASET_CLASS = "torch.utils.data.Dataset"
AUTOGRAD_FUNCTION = "torch.autograd.Function"
TORCH_ROOTS = frozenset({"torch", "torchvision", "torchaudio", "torch_npu", "functorch"})
MODULE_INSTANCE = make(Tag.INSTANCE, MODULE_CLASS)
CLASS_KINDS = frozenset(
    {
        TorchKind.CLASS,
        TorchKind.MODULE_CLASS,
        TorchKind.OPTIMIZER_CLASS,
        TorchKind.SCHEDULER_CLASS,
        TorchKind.TENSOR_CLASS,
    }
)
# What Module and Optimizer themselves read and write: a class that declares or assigns it again still means theirs.
KEPT_ATTRIBUTES = frozenset({"training", "param_groups", "state", "defaults"})
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
# What layers of the project's own that are asked beside convolutions keep under torch's name.
OF_CONVOLUTIONS_AND_OWN = frozenset({"groups"})
# What is set of layers that are built, which many of MindSpore's read only once.
SETTINGS_OF_LAYERS = frozenset({"p", "eps", "momentum", "inplace"})
# What convolutions and tables were built with, which MindSpore's keep under other names, or not at all.
_BUILT_WITH = frozenset(
    {
        *("kernel_size", "stride", "padding", "dilation", "groups", "output_padding"),
        *("max_norm", "norm_type", "scale_grad_by_freq", "sparse"),
    }
)
# What is asked of layers wherever they come from.
ASKED_OF_LAYERS = USUAL_PARAMETERS | SIZES_OF_LAYERS | SETTINGS_OF_LAYERS | _BUILT_WITH
# What hardly any module but one kind has: linear layers, norms, recurrent layers. Of convolutions it is the padding,
# for which pools are asked, too, and the groups, which layers of the project's own may have; so what is written for
# these takes any layer.
MEMBERS_OF_ONE_KIND = {
    **{name: f"torch.nn.Linear.{name}" for name in ("in_features", "out_features")},
    **{name: f"torch.nn.BatchNorm2d.{name}" for name in ("running_mean", "running_var")},
    "flatten_parameters": "torch.nn.RNNBase.flatten_parameters",
    **{name: f"torch.nn.Conv2d.{name}" for name in ("groups", "padding")},
}
# What nothing else has at all, whatever it is a member of.
NAMED_ONCE = frozenset({"flatten_parameters"})
_ONE_OR_SEVERAL = re.compile(r"(?:^|\bUnion\[|\| )Tensor(?:,| \||$)")  # `Union[Tensor, Sequence[Tensor]]`

# The compiled modules of torch, which have no documentation, and where most of what is in them is public.
_COMPILED = {"torch._C": "torch", "torch._C._nn": "torch.nn.functional"}
# An object that only holds settings, as a module does: `torch.backends.cuda.matmul.allow_tf32`.
_HOLDING_SETTINGS = frozenset({"torch.backends.cuda.matmul"})
_OF_COMPILED = {"_LinAlgError": "torch.linalg.LinAlgError", "_TensorBase": "torch.Tensor"}


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
    if dotted in _COMPILED or dotted in _HOLDING_SETTINGS:
        return Reference(dotted, make(Tag.TORCH_MODULE, dotted), True)
    canonical = facts.canonical(dotted) or facts.canonical(_public(dotted))
    if canonical is None:
        return Reference(dotted, UNKNOWN, False)
    kind = facts.kind(canonical)
    if kind is TorchKind.MODULE:
        return Reference(canonical, make(Tag.TORCH_MODULE, canonical), True)
    if kind in CLASS_KINDS:
        return Reference(canonical, make(Tag.CLASS, canonical), True)
    if kind is TorchKind.DTYPE:
        return Reference(canonical, _DTYPES.get(canonical, DTYPE), True)
    if kind is TorchKind.FUNCTION or kind is TorchKind.METHOD:
        return Reference(canonical, make(Tag.FUNCTION, canonical), True)
    return Reference(canonical, _constant_type(canonical), True)


def _public(dotted: str) -> str:
    """The public name of what programs ask the compiled modules for; the name itself where it is in none of them."""
    module, _, name = dotted.rpartition(".")
    if module in _COMPILED:
        return _OF_COMPILED.get(name) or f"{_COMPILED[module]}.{name}"
    return dotted


def may_have(module: str, name: str) -> bool:
    """Whether a module of torch, or of a library of its family, has a public name. Of a module that the facts do not
    have it may have any but Python's own."""
    found = reference(f"{module}.{name}")
    if torch_facts().kind(module) is None and found.is_known:
        return name not in python_model.BUILTINS
    return (
        found.is_known
        and found.type is not UNKNOWN
        and torch_facts().canonical(f"{module}.{name}") is not None
    )


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
    is_module = dotted.count(".") == 1 and last.islower() and dotted not in _FUNCTIONS_OF_THE_FAMILY
    if dotted.count(".") == 0 or is_module or dotted in _DEEPER_MODULES_OF_THE_FAMILY:
        return Reference(dotted, make(Tag.TORCH_MODULE, dotted), True)
    if last[:1].isupper():
        return Reference(dotted, make(Tag.CLASS, dotted), True)
    return Reference(dotted, make(Tag.FUNCTION, dotted), True)


_FUNCTIONS_OF_THE_FAMILY = frozenset(
    f"torchaudio.{name}"
    for name in ("load", "load_with_torchcodec", "save", "save_with_torchcodec", "info", "list_audio_backends",
                 "get_audio_backend", "set_audio_backend")
)  # fmt: skip
_DEEPER_MODULES_OF_THE_FAMILY = frozenset(
    ("torchaudio.compliance.kaldi", "torchaudio.models.decoder", "torchaudio.utils.sox_utils")
)


@cache
def members(class_name: str) -> Mapping[str, str]:
    """Member name -> canonical name, inherited ones included. Empty for a class that is not known."""
    facts = torch_facts()
    if not facts.members(class_name) and is_module_class(class_name):
        class_name = MODULE_CLASS  # of a package that no facts are collected of
    return {
        name: facts.member(class_name, name) or f"{class_name}.{name}" for name in facts.members(class_name)
    }


@cache
def is_setting(member: str) -> bool:
    """Whether the member is what an instance was built with, such as the stride of a pooling layer."""
    if torch_facts().kind(member) is not TorchKind.INSTANCE_ATTRIBUTE:
        return False
    return member.rpartition(".")[0] not in (MODULE_CLASS, OPTIMIZER_CLASS)


def is_module_class(name: str) -> bool:
    """Whether the torch class is an nn.Module."""
    if name.startswith(("torchvision.models", "torchvision.ops", "torchaudio.transforms")):
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
def expectations(name: str) -> tuple[str, ...]:
    """For each parameter of a torch function or class: "tensor" where only a tensor fits, "tensors" where a list of
    them does, "network" where only a module does, "data" where a tensor is made of what is none yet, "" otherwise; by
    position, with the names in `parameter_names`."""
    if name in _MAKERS_OF_TENSORS:
        return ("data",)
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
    """The names of the parameters that `expectations` speaks of."""
    signatures = torch_facts().signatures(name)
    return tuple(parameter.name for parameter in signatures[0].parameters) if signatures else ()


# Hardly anyone gives them a tensor: torch warns of `torch.tensor(x)` of one, and `from_numpy` refuses it.
_MAKERS_OF_TENSORS = frozenset(
    (
        "torch.tensor", "torch.as_tensor", "torch.asarray", "torch.from_numpy", "torch.Tensor",
        *(f"torch.{kind}Tensor" for kind in ("Float", "Double", "Half", "Long", "Int", "Short", "Byte", "Bool")),
    )
)  # fmt: skip


def _expected(parameter: Parameter) -> str:
    if "tensor" in parameter.accepts and all(kind in ("tensor", "none") for kind in parameter.accepts):
        return "tensor"
    if parameter.name == "module" or set(parameter.accepts) in ({"module"}, {"module", "none"}):
        return "network"
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
