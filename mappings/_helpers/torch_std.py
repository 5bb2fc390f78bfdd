import mindspore


def torch_std(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
    """PyTorch's standard deviation: the gradient of equal values is 0, where that of mindspore.ops.std is NaN."""
    variance = torch_var(input, dim, unbiased, keepdim, correction=correction)
    is_zero = mindspore.ops.stop_gradient(variance) == 0
    root = mindspore.ops.sqrt(mindspore.ops.where(is_zero, mindspore.ops.ones_like(variance), variance))
    return mindspore.ops.where(is_zero, mindspore.ops.zeros_like(root), root)
