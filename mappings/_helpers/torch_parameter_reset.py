import math

import mindspore


def torch_parameter_reset(layer):
    """What draws the parameters of a layer again, or sets them back, as PyTorch's `reset_parameters` does: the layer's
    own method, or a function for MindSpore's layers. None for a layer that has nothing of the kind."""
    own = getattr(layer, "reset_parameters", None)
    if own is not None:
        return own
    kinds, minted = mindspore.nn, mindspore.mint.nn
    convolutions = (kinds.Conv1d, kinds.Conv2d, kinds.Conv3d)
    transposed = (kinds.Conv1dTranspose, kinds.Conv2dTranspose, kinds.Conv3dTranspose)
    recurrent = (kinds.LSTM, kinds.GRU, kinds.RNN, kinds.LSTMCell, kinds.GRUCell, kinds.RNNCell)
    norm = getattr(layer, "bn2d", layer)  # of MindSpore's BatchNorm3d
    parts, starts = (), ()
    if isinstance(layer, (kinds.Dense, *convolutions, *transposed)):
        parts = (layer.weight, layer.bias if layer.has_bias else None)
        starts = (math.prod(layer.weight.shape[1:]) ** -0.5,) * 2
    elif isinstance(layer, (minted.Linear, minted.Conv1d, minted.Conv2d, minted.Conv3d)):
        parts = (layer.weight, layer.bias)
        starts = (math.prod(layer.weight.shape[1:]) ** -0.5,) * 2
    elif isinstance(layer, (minted.GroupNorm, minted.LayerNorm)):
        parts, starts = (layer.weight, layer.bias), ("ones", "zeros")
    elif isinstance(layer, kinds.BiDense):
        parts = (layer.weight, layer.bias if layer.has_bias else None)
        starts = (layer.in1_channels**-0.5,) * 2
    elif isinstance(layer, recurrent):
        parts = tuple(layer.get_parameters())
        starts = (layer.hidden_size**-0.5,) * len(parts)
    elif isinstance(layer, kinds.Embedding):
        parts, starts = (layer.embedding_table,), ("normal",)
    elif isinstance(layer, kinds.PReLU):
        parts, starts = (layer.w,), ("quarters",)
    elif hasattr(norm, "gamma") and hasattr(norm, "beta"):
        parts, starts = (norm.gamma, norm.beta), ("ones", "zeros")
        if hasattr(norm, "moving_mean"):
            parts, starts = (*parts, norm.moving_mean, norm.moving_variance), (*starts, "zeros", "ones")
    if not parts:
        return None

    def reset():
        initializers = mindspore.common.initializer
        kept = {"normal": initializers.Normal(1.0), "quarters": initializers.Constant(0.25)}
        for part, start in zip(parts, starts):
            if part is not None:
                kind = kept.get(start, start) if isinstance(start, str) else initializers.Uniform(start)
                part[()] = initializers.initializer(kind, part.shape, part.dtype).init_data()
        if isinstance(layer, kinds.Embedding) and layer.padding_idx is not None:
            layer.embedding_table[layer.padding_idx] = 0

    return reset
