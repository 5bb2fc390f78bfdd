import mindspore


def torch_adaptive_avg_pool1d(input, output_size):
    """PyTorch's functional.adaptive_avg_pool1d: means over as many parts of the last axis, of any length."""
    size = output_size[0] if isinstance(output_size, (tuple, list)) else output_size
    length = input.shape[-1] if size is None else int(size)
    return mindspore.ops.adaptive_avg_pool2d(input.expand_dims(-2), (1, length)).squeeze(-2)
