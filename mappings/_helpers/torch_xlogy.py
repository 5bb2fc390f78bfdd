import mindspore


def torch_xlogy(input, other):
    """PyTorch's x * log(y): 0 where x is 0, for y = 0, too, where MindSpore's is no number; with torch's gradients."""
    ops = mindspore.ops
    product = ops.xlogy(input, other)
    zero = ops.zeros_like(product)
    is_positive = zero + other > 0
    of_positive = input * ops.log(ops.where(is_positive, zero + other, zero + 1))
    is_zero = ops.logical_and(zero + input == 0, zero + other == other)  # no number equals itself
    return ops.where(is_positive, of_positive, ops.where(is_zero, zero, product))
