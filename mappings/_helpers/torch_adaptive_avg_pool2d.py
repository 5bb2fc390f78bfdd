import mindspore


def torch_adaptive_avg_pool2d(input, output_size):
    """PyTorch's adaptive_avg_pool2d, which takes a list of sizes as well."""
    size = output_size if isinstance(output_size, int) else tuple(output_size)
    return mindspore.ops.adaptive_avg_pool2d(input, size)
