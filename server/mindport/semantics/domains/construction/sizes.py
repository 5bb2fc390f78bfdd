"""How many numbers the layers of torch.nn hold, from the arguments they are made with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

Sizes = dict[str, int]

# Made of layers of their own, or sized by their first input: nothing can be said.
_OPEN = frozenset(("Transformer", "TransformerEncoder", "TransformerDecoder", "AdaptiveLogSoftmaxWithLoss"))
CONTAINERS = frozenset(("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Module"))


class LayerArguments:
    """The arguments of a layer by the names of its parameters. Raises KeyError for one that is neither passed nor has a
    default, and ValueError for one whose value is not known."""

    def __init__(
        self, names: Sequence[str], positional: Sequence[object], keywords: Mapping[str, object]
    ) -> None:
        self._given = dict(zip(names, positional, strict=False)) | dict(keywords)

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self._given.get(name, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(name)
        return value

    def flag(self, name: str, default: bool) -> bool:
        """A truth value."""
        value = self._given.get(name, default)
        if not isinstance(value, bool | int | None):
            raise ValueError(name)
        return bool(value)

    def area(self, name: str, axes: int) -> int:
        """The product of a size that is one number for all axes, or one for each."""
        value = self._given[name]
        if isinstance(value, tuple | list):
            return math.prod(_whole(item) for item in value)
        return math.prod([_whole(value)] * axes)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("size")
    return value


def _convolution(axes: int, transposed: bool) -> Callable[[LayerArguments], Sizes]:
    def sizes(given: LayerArguments) -> Sizes:
        inputs, outputs, groups = (
            given.number("in_channels"),
            given.number("out_channels"),
            given.number("groups", 1),
        )
        first, second = (inputs, outputs) if transposed else (outputs, inputs)
        found = {"weight": first * (second // groups) * given.area("kernel_size", axes)}
        return found | ({"bias": outputs} if given.flag("bias", True) else {})

    return sizes


def _linear(given: LayerArguments) -> Sizes:
    outputs = given.number("out_features")
    found = {"weight": given.number("in_features") * outputs}
    return found | ({"bias": outputs} if given.flag("bias", True) else {})


def _bilinear(given: LayerArguments) -> Sizes:
    outputs = given.number("out_features")
    found = {"weight": given.number("in1_features") * given.number("in2_features") * outputs}
    return found | ({"bias": outputs} if given.flag("bias", True) else {})


def _norm(name: str, is_affine: bool = True) -> Callable[[LayerArguments], Sizes]:
    def sizes(given: LayerArguments) -> Sizes:
        count = given.number(name)
        return {"weight": count, "bias": count} if given.flag("affine", is_affine) else {}

    return sizes


def _layer_norm(given: LayerArguments) -> Sizes:
    count = given.area("normalized_shape", 1)
    if not given.flag("elementwise_affine", True):
        return {}
    return {"weight": count} | ({"bias": count} if given.flag("bias", True) else {})


def _rms_norm(given: LayerArguments) -> Sizes:
    return {"weight": given.area("normalized_shape", 1)} if given.flag("elementwise_affine", True) else {}


def _embedding(given: LayerArguments) -> Sizes:
    return {"weight": given.number("num_embeddings") * given.number("embedding_dim")}


def _prelu(given: LayerArguments) -> Sizes:
    return {"weight": given.number("num_parameters", 1)}


def _recurrent(gates: int, is_cell: bool) -> Callable[[LayerArguments], Sizes]:
    def sizes(given: LayerArguments) -> Sizes:
        size, hidden = given.number("input_size"), given.number("hidden_size")
        if not is_cell and given.number("proj_size", 0):
            raise ValueError("proj_size")
        layers = 1 if is_cell else given.number("num_layers", 1)
        ways = 1 if is_cell or not given.flag("bidirectional", False) else 2
        biases = 2 * gates * hidden if given.flag("bias", True) else 0
        total = 0
        for layer in range(layers):
            inputs = size if layer == 0 else hidden * ways
            total += ways * (gates * hidden * (inputs + hidden) + biases)
        return {"weights": total}

    return sizes


def _attention(given: LayerArguments) -> Sizes:
    size = given.number("embed_dim")
    keys, values = _or_same(given, "kdim", size), _or_same(given, "vdim", size)
    biases = 4 * size if given.flag("bias", True) else 0
    return {"weights": size * (size + keys + values) + size * size + biases}


def _or_same(given: LayerArguments, name: str, size: int) -> int:
    try:
        return given.number(name, size)
    except ValueError:
        return size  # None


def _transformer_layer(attentions: int) -> Callable[[LayerArguments], Sizes]:
    def sizes(given: LayerArguments) -> Sizes:
        size, inner = given.number("d_model"), given.number("dim_feedforward", 2048)
        bias = 1 if given.flag("bias", True) else 0
        attention = 4 * size * size + 4 * size * bias
        feed = 2 * size * inner + (size + inner) * bias
        norms = (attentions + 1) * (size + size * bias)
        return {"weights": attentions * attention + feed + norms}

    return sizes


_FORMULAS: dict[str, Callable[[LayerArguments], Sizes]] = {
    "Linear": _linear,
    "Bilinear": _bilinear,
    "LayerNorm": _layer_norm,
    "RMSNorm": _rms_norm,
    "GroupNorm": _norm("num_channels"),
    "Embedding": _embedding,
    "EmbeddingBag": _embedding,
    "PReLU": _prelu,
    "RNN": _recurrent(1, False),
    "LSTM": _recurrent(4, False),
    "GRU": _recurrent(3, False),
    "RNNCell": _recurrent(1, True),
    "LSTMCell": _recurrent(4, True),
    "GRUCell": _recurrent(3, True),
    "MultiheadAttention": _attention,
    "TransformerEncoderLayer": _transformer_layer(1),
    "TransformerDecoderLayer": _transformer_layer(2),
    "SyncBatchNorm": _norm("num_features"),
    **{f"Conv{axes}d": _convolution(axes, False) for axes in (1, 2, 3)},
    **{f"ConvTranspose{axes}d": _convolution(axes, True) for axes in (1, 2, 3)},
    **{f"BatchNorm{axes}d": _norm("num_features") for axes in (1, 2, 3)},
    **{f"InstanceNorm{axes}d": _norm("num_features", is_affine=False) for axes in (1, 2, 3)},
}


def layer_sizes(
    name: str, parameters: Sequence[str], positional: Sequence[object], keywords: Mapping[str, object]
) -> Sizes | None:
    """Parameter -> how many numbers, for a layer of torch.nn; empty for layers without any, None where it is not known.
    `parameters` are the names of the constructor's parameters."""
    if name in _OPEN or name.startswith("Lazy"):
        return None
    formula = _FORMULAS.get(name)
    if formula is None:
        return {}
    try:
        return formula(LayerArguments(parameters, positional, keywords))
    except (KeyError, ValueError, ZeroDivisionError, OverflowError):
        return None
