import mindspore


def torch_entr(input):
    """PyTorch's -x * log(x): 0 at 0, with an infinite slope, and -inf below."""
    ops = mindspore.ops
    is_positive = input > 0
    positive = ops.where(is_positive, input, ops.ones_like(input))
    at_zero = ops.where(
        input == 0, ops.sqrt(input), ops.where(input < 0, ops.full_like(input, -float("inf")), input)
    )
    return ops.where(is_positive, -positive * ops.log(positive), at_zero)
