"""How many dimensions the data on a link have, where the code shows it. Whether a gradient survives often hangs on
that: a linear layer flattens an input of three dimensions, and takes one of two as it is."""

from __future__ import annotations

from collections.abc import Callable

from mindport.usage.regions.values import Choice, Constant, Data, Items, UnaskedItem, Value, Waiting

_DEEPEST = 200
_RESHAPES = frozenset({".view", ".reshape"})
_FLATTENS = frozenset({".flatten", "torch.flatten", "mindspore.ops.flatten", "mindspore.mint.flatten"})
# What these take, and give: by the dimensions in their names.
_SIZED = (("1d", 3), ("2d", 4), ("3d", 5))
_KINDS_OF_LAYERS = ("Conv", "Pool", "BatchNorm", "InstanceNorm", "Dropout", "Upsample", "Pad")
_KEEPING = frozenset(
    {"Linear", "Dense", "Tanh", "ReLU", "LeakyReLU", "ELU", "GELU", "SiLU", "Mish", "Sigmoid", "Softplus", "Dropout",
     "LayerNorm", "PReLU", "Softmax", "SELU", "CELU", "Hardtanh", "Identity", "GroupNorm", "tanh", "relu", "leaky_relu",
     "elu", "gelu", "silu", "mish", "sigmoid", "softplus", "dropout", "layer_norm", "softmax", "log_softmax", "linear",
     "dense", "exp", "log", "sqrt", "sin", "cos", "square", "clamp", "abs", "to", "float", "contiguous", "clone",
     "__neg__"}
)  # fmt: skip


def rank_of(value: Value, settle: Callable[[Value], Value]) -> int | None:
    """The number of dimensions; None where it is not known."""
    for _ in range(_DEEPEST):
        if isinstance(value, (Waiting, UnaskedItem)):
            value = settle(value)
        if isinstance(value, Choice):
            ranks = {rank_of(one, settle) for one in value.values[:4]}
            return ranks.pop() if len(ranks) == 1 else None
        if not isinstance(value, Data):
            return None
        known = _result_rank(value)
        if known is not None:
            return known
        if value.api.rpartition(".")[2] not in _KEEPING or not value.operands:
            return None
        value = value.operands[0]
    return None


def _result_rank(data: Data) -> int | None:
    """What the operation alone says of its result."""
    name = data.api
    last = name.rpartition(".")[2]
    if last == "Flatten" and data.layer is not None:
        return None if data.layer.arguments.all() else 2
    if name in _FLATTENS:
        start = data.operands[1] if len(data.operands) == 2 else None
        return 2 if isinstance(start, Constant) and start.value == 1 else None
    if name in _RESHAPES:
        sizes = data.operands[1:]
        if len(sizes) == 1:
            return len(sizes[0].values) if isinstance(sizes[0], Items) else None
        return len(sizes) if sizes and all(isinstance(size, (Constant, Data)) for size in sizes) else None
    if any(kind in last for kind in _KINDS_OF_LAYERS):
        return next((rank for size, rank in _SIZED if size in last), None)
    return None
