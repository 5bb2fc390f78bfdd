import mindspore


def torch_rms_norm(input, normalized_shape, weight=None, eps=None):
    """PyTorch's functional.rms_norm, over any number of last axes, by its definition."""
    axes = tuple(range(-len(normalized_shape), 0))
    if eps is None:
        digits = {mindspore.float16: 10, mindspore.bfloat16: 7, mindspore.float64: 52}
        eps = 2.0 ** -digits.get(input.dtype, 23)
    output = input * mindspore.ops.rsqrt((input * input).mean(axes, keep_dims=True) + eps)
    return output if weight is None else output * weight
