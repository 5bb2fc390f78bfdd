import mindspore


def torch_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """PyTorch's functional.layer_norm, over any number of last axes, by its definition."""
    axes = tuple(range(-len(normalized_shape), 0))
    centred = input - input.mean(axes, keep_dims=True)
    output = centred / mindspore.ops.sqrt((centred * centred).mean(axes, keep_dims=True) + eps)
    if weight is not None:
        output = output * weight
    return output if bias is None else output + bias
