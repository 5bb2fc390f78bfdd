import mindspore


def torch_conv_forward(layer, input, weight, bias=None):
    """The convolution of a layer with its settings, but another weight and bias: PyTorch's `_conv_forward`."""
    own = getattr(layer, "_conv_forward", None)
    if own is not None:
        return own(input, weight, bias)
    ops = mindspore.ops
    edges = getattr(layer, "edges", ())
    if edges:
        input = ops.pad(input, edges, mode=layer.padding_mode)
    if hasattr(layer, "conv3d"):
        parts = zip(
            input.split(input.shape[1] // layer.group, 1), weight.split(weight.shape[0] // layer.group)
        )
        output = ops.cat([layer.conv3d(part, kernel) for part, kernel in parts], 1)
    elif isinstance(layer, mindspore.nn.Conv1d):
        kernel = weight.expand_dims(2) if weight.ndim == 3 else weight
        output = layer.conv2d(input.expand_dims(2), kernel).squeeze(2)
    else:
        output = layer.conv2d(input, weight)
    return output if bias is None else output + bias.reshape((-1, *(1,) * (output.ndim - 2)))
