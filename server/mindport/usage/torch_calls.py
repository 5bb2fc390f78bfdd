"""What calls of torch's functions, methods and modules give, and what their subscripts and items are. Read from the
registry; only what annotations cannot say is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from mindport.registry.torch import TorchKind, torch_facts
from mindport.usage import masks
from mindport.usage.found_positions import kept_by, positions_found
from mindport.usage.python_model import made_dictionary
from mindport.usage.torch_model import MODULE_INSTANCE, TENSOR_CLASS, is_module_class
from mindport.usage.torch_values import REDUCTIONS_WITH_INDICES, TENSOR_METHODS, instance_of, type_of_result
from mindport.usage.types import (
    BATCH,
    DEVICE,
    GUESSED,
    INFERRED,
    INT,
    NONE,
    NUMERIC,
    OF_NETWORK,
    OTHER,
    PARAMETER,
    PROVED,
    SIZE,
    STR,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Tag,
    Type,
    depth,
    dict_of,
    join_all,
    make,
    members,
    sequence_of,
    tuple_of,
    weakened,
)

# What holds modules of any class, and takes them where it is made.
CONTAINERS = frozenset(("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"))

# The name under which a call says which of its positional arguments are `*values`, "0,2".
STARRED = "*"
_INSTANCES = (Tag.INSTANCE, Tag.PROJECT_INSTANCE)
_DEEPEST = 3

_SELF_METHODS = frozenset(
    [
        "to",
        "cuda",
        "cpu",
        "half",
        "float",
        "double",
        "train",
        "eval",
        "apply",
        "requires_grad_",
        "type",
        "xpu",
        "bfloat16",
        "to_empty",
        "share_memory",
    ]
)
_MODULE_METHODS: dict[str, Type] = {
    "parameters": sequence_of(PARAMETER),
    "buffers": sequence_of(TENSOR),
    "named_parameters": sequence_of(tuple_of((STR, PARAMETER))),
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


def gives_another(method: Type) -> bool:
    """Whether what a METHOD gives is another object than its own, though it may be of the same class: one of the
    modules inside, `get_submodule`."""
    return _MODULE_METHODS.get(method.name.rpartition(".")[2]) is MODULE_INSTANCE


def call_method(method: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling a METHOD gives."""
    receiver = method.parts[0]
    name = method.name.rpartition(".")[2]
    if receiver.tag is Tag.TENSOR:
        result = _call_tensor_method(receiver, name, method.name, positional, keywords)
        if name == "nonzero":
            return positions_found(receiver.level, bool(positional or keywords))
        return masks.of_call(
            name, receiver, kept_by(name, receiver, result), (*positional, *keywords.values())
        )
    if is_module_class(receiver.name):
        if name in _SELF_METHODS:
            return receiver
        known = _MODULE_METHODS.get(name)
        if known is not None:
            return weakened(known, receiver.level)
        if name == "forward":
            return call_instance(receiver, positional, keywords)
        if receiver.name == "torch.nn.ModuleDict" and name in ("items", "values"):
            module = module_of_dict(receiver)
            return sequence_of(tuple_of((STR, module)) if name == "items" else module)
        if receiver.name == "torch.nn.ParameterDict" and name in ("items", "values"):
            return sequence_of(tuple_of((STR, PARAMETER)) if name == "items" else PARAMETER)
    if name == "size" and receiver.name == SIZE.name:
        return INT
    if (
        name in ("sample", "rsample", "log_prob", "entropy", "cdf", "icdf")
        and ".distributions." in method.name
    ):
        return TENSORS[receiver.level]
    return type_of_result(torch_facts().returns(method.name), receiver, receiver.level)


def _call_tensor_method(
    receiver: Type, name: str, canonical: str, positional: Sequence[Type], keywords: Mapping[str, Type]
) -> Type:
    known = TENSOR_METHODS.get(name)
    if known is not None:
        if name == "size" and (positional or "dim" in keywords):
            return INT
        return weakened(known, receiver.level)
    if name in REDUCTIONS_WITH_INDICES:
        return _reduction(name, positional, keywords, receiver.level)
    if name == "type":
        return TENSORS[receiver.level] if positional or "dtype" in keywords else STR
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


_SAME_AS_FIRST = frozenset(
    {"torch.compile", "torch.jit.script", "torch.jit.trace", "torch.nn.utils.spectral_norm",
     "torch.nn.utils.weight_norm",
     "torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.parametrizations.weight_norm",
     "torch.nn.utils.parametrizations.orthogonal", "torch.nn.utils.parametrize.register_parametrization",
     "torch.nn.utils.parametrize.remove_parametrizations", "torch.jit.ignore", "torch.jit.unused", "torch.jit.export",
     "torch.quantization.prepare", "torch.quantization.convert", "torch.nn.utils.remove_weight_norm",
     "torch.nn.SyncBatchNorm.convert_sync_batchnorm"}
)  # fmt: skip
_FUNCTIONS: dict[str, Type] = {
    "torch.where": TENSOR,
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
    "torch.nn.functional.multi_head_attention_forward": tuple_of((TENSOR, TENSOR)),
    "torch.linalg.qr": tuple_of((TENSOR, TENSOR)),
    "torch.hub.load": MODULE_INSTANCE,
    "torch.utils.data.default_collate": BATCH,
    "torch.utils.data.default_convert": BATCH,
}


def call_function(name: str, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling the torch function gives."""
    if name in _SAME_AS_FIRST:
        return positional[0] if positional else UNKNOWN
    if name in ("torch.nonzero", "torch.argwhere"):
        return positions_found(PROVED, may_be_tuple="as_tuple" in keywords)
    if name == "torch.where" and len(positional) + len(keywords) == 1:
        return positions_found(PROVED, may_be_tuple=True)
    known = _FUNCTIONS.get(name)
    if known is not None:
        return known
    head, _, last = name.rpartition(".")
    if head == "torch":
        if last in REDUCTIONS_WITH_INDICES:
            first = positional[0] if positional else UNKNOWN
            return masks.of_call(
                last, first, _reduction(last, positional[1:], keywords, PROVED), positional[1:]
            )
        if last == "unique" or last == "unique_consecutive":
            return _unique(keywords, PROVED)
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
    elif name.startswith("torchaudio."):
        return _torchaudio_result(name)
    elif last == "from_pretrained" and is_module_class(head):
        return instance_of(head, PROVED)
    first = positional[0] if positional else UNKNOWN
    return masks.of_call(last, first, _function_result(name), (*positional[1:], *keywords.values()))


@cache
def _function_result(name: str) -> Type:
    result = type_of_result(torch_facts().returns(name), UNKNOWN, PROVED)
    if result is UNKNOWN and name.count(".") == 1 and torch_facts().kind(name) is TorchKind.FUNCTION:
        return UNKNOWN
    return result


def _torchvision_result(name: str, positional: Sequence[Type]) -> Type:
    if name.startswith("torchvision.models."):
        network = _function_result(name)
        return network if network.tag is Tag.INSTANCE else MODULE_INSTANCE
    if name.startswith("torchvision.ops.") and name.rpartition(".")[2].islower():
        return TENSOR
    last = name.rpartition(".")[2]
    if name in ("torchvision.utils.make_grid", "torchvision.io.read_image"):
        return TENSOR
    if name.startswith("torchvision.transforms") and last in _MAKERS_OF_TENSORS:
        return TENSOR
    if name.startswith("torchvision.transforms") and positional and last != "to_pil_image":
        return positional[0]
    return UNKNOWN


def _torchaudio_result(name: str) -> Type:
    head, _, last = name.rpartition(".")
    if name in ("torchaudio.load", "torchaudio.load_with_torchcodec"):
        return _TENSOR_AND_RATE
    is_computed = head in ("torchaudio.functional", "torchaudio.compliance.kaldi")
    return TENSOR if is_computed and last != "edit_distance" else UNKNOWN


_TENSOR_AND_RATE = tuple_of((TENSOR, INT))
_MAKERS_OF_TENSORS = frozenset(("to_tensor", "pil_to_tensor", "to_image", "normalize"))
_TENSOR_PAIR = tuple_of((TENSOR, TENSOR))
_RECURRENT = frozenset(("torch.nn.RNN", "torch.nn.GRU", "torch.nn.LSTM"))
_PACKED = "torch.nn.utils.rnn.PackedSequence"  # given to a recurrent layer, it comes back as one
_NAMED_TENSORS = dict_of(STR, TENSOR)
_CALLED: dict[str, Type] = {
    "torch.nn.RNN": _TENSOR_PAIR,
    "torch.nn.GRU": _TENSOR_PAIR,
    "torch.nn.LSTM": tuple_of((TENSOR, _TENSOR_PAIR)),
    "torch.nn.LSTMCell": _TENSOR_PAIR,
    "torch.nn.MultiheadAttention": _TENSOR_PAIR,
    "torch.nn.Module": OF_NETWORK,
    "torch.nn.ModuleList": UNKNOWN,
    "torch.nn.DataParallel": OF_NETWORK,
    "torch.nn.parallel.DistributedDataParallel": OF_NETWORK,
    "torch.fx.GraphModule": OF_NETWORK,
    "torchvision.models._utils.IntermediateLayerGetter": _NAMED_TENSORS,
    "torchvision.models.detection.backbone_utils.BackboneWithFPN": _NAMED_TENSORS,
    "torchvision.models.segmentation.DeepLabV3": _NAMED_TENSORS,
    "torchvision.models.segmentation.FCN": _NAMED_TENSORS,
    "torchvision.models.segmentation.LRASPP": _NAMED_TENSORS,
    "torchvision.ops.FeaturePyramidNetwork": _NAMED_TENSORS,
    # Losses by name while they train, and else a list of what was found in each image.
    "torchvision.models.detection.FCOS": OF_NETWORK,
    "torchvision.models.detection.FasterRCNN": OF_NETWORK,
    "torchvision.models.detection.KeypointRCNN": OF_NETWORK,
    "torchvision.models.detection.MaskRCNN": OF_NETWORK,
    "torchvision.models.detection.RetinaNet": OF_NETWORK,
    "torchvision.models.detection.ssd.SSD": OF_NETWORK,
}


def call_instance(receiver: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling an instance of a torch class gives: the result of `forward` for a module."""
    name = receiver.name
    if not is_module_class(name):
        return UNKNOWN
    known = _CALLED.get(name)
    if known is not None:
        given = positional[0] if positional else keywords.get("input", UNKNOWN)
        if name in _RECURRENT and any(one.name == _PACKED for one in members(given)):
            return tuple_of((given, known.parts[1]))
        return known if known is not OF_NETWORK or receiver.level > GUESSED else UNKNOWN
    if name == "torch.nn.Identity" and positional:
        return positional[0]
    level = INFERRED if name == "torch.nn.Sequential" else receiver.level
    return TENSORS[min(level, receiver.level)]


def made_container(container: Type, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """An instance of one of CONTAINERS, which knows the kind of module that it was made with: one part is the kind of
    all, several are those of a Sequential in their order, where a sequence stands for what a star spreads. Others may
    be put into it later, so that is only inferred."""
    made = instance_of(container.name, container.level)
    if container.name == "torch.nn.ModuleDict":
        held = made_dictionary(positional[0]) if len(positional) == 1 else UNKNOWN
        is_known = bool(held.name) or _are_modules(held)
        return make(Tag.INSTANCE, made.name, (weakened(held, INFERRED),), made.level) if is_known else made
    if container.name == "torch.nn.ModuleList":
        listed = positional[0] if len(positional) == 1 else UNKNOWN
        held = join_all(listed.parts) if listed.tag in (Tag.SEQUENCE, Tag.TUPLE) else UNKNOWN
        if _is_of_instances(held):
            return make(Tag.INSTANCE, made.name, (weakened(held, INFERRED),), made.level)
    else:
        # Beside what is known something unknown would pass for the same.
        held = UNKNOWN if UNKNOWN in positional else join_all(positional)
        if held.tag not in _INSTANCES and len(positional) > 1:
            places = keywords.get(STARRED, UNKNOWN).name
            parts = (
                sequence_of(_module_in_place(one))
                if str(place) in places.split(",")
                else _module_in_place(one)
                for place, one in enumerate(positional)
            )
            return make(Tag.INSTANCE, made.name, tuple(parts), made.level)
    if held.tag is Tag.UNION and _is_of_instances(held):
        return make(Tag.INSTANCE, made.name, (_module_in_place(held),), made.level)
    return (
        make(Tag.INSTANCE, made.name, (weakened(held, INFERRED),), made.level)
        if held.tag in _INSTANCES
        else made
    )


def _is_of_instances(held: Type) -> bool:
    return all(one.tag in _INSTANCES for one in members(held))


def _are_modules(table: Type) -> bool:
    if table.tag is not Tag.DICT:
        return False
    # Beside what is known something unknown would pass for the same.
    return all(_is_of_instances(part) for part in table.parts[1:])


def module_of_dict(container: Type) -> Type:
    """Whichever of the modules of a ModuleDict: of the kinds that it was made with, where these are known."""
    held = container.parts[0] if container.parts else UNKNOWN
    return held.parts[1] if _are_modules(held) else MODULE_INSTANCE


def _module_in_place(given: Type) -> Type:
    # What a net that is made in a loop holds is cut off, so that its type settles.
    if not _is_of_instances(given):
        return MODULE_INSTANCE
    known = weakened(given, INFERRED)
    if depth(known) < _DEEPEST:
        return known
    return join_all(make(one.tag, one.name, level=one.level) for one in members(known))


def _any_of(parts: tuple[Type, ...]) -> Type:
    """Whichever of the modules of a container: one of their kinds where each is known."""
    kinds = [one.parts[0] if one.tag is Tag.SEQUENCE else one for one in parts]
    if not kinds or (len(kinds) > 1 and MODULE_INSTANCE in kinds):
        return MODULE_INSTANCE
    return join_all(kinds)


@cache
def item_of_instance(receiver: Type, is_slice: bool) -> Type:
    """`receiver[index]` for an instance of a torch class."""
    name = receiver.name
    if receiver.name == SIZE.name:
        return receiver if is_slice else INT
    if name.startswith("torch.return_types."):
        return TENSORS[receiver.level]
    if name in ("torch.nn.Sequential", "torch.nn.ModuleList"):
        if is_slice:
            return receiver if len(receiver.parts) < 2 else instance_of(name, receiver.level)
        return _any_of(receiver.parts)
    if name == "torch.nn.ModuleDict":
        return module_of_dict(receiver)
    if name in ("torch.nn.ParameterList", "torch.nn.ParameterDict"):
        return PARAMETER
    return UNKNOWN


@cache
def element_of_instance(receiver: Type) -> Type:
    """What iterating over an instance of a torch class gives."""
    if receiver.name in ("torch.nn.ModuleDict", "torch.nn.ParameterDict"):
        return STR
    if receiver.name == "torch.utils.data.DataLoader":
        return BATCH
    return item_of_instance(receiver, False)
