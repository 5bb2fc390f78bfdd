import mindspore


def torch_complex_quotient(input, other):
    """`input / other` where one of them may be complex: the gradient of MindSpore's own quotient of complex numbers is
    wrong, and its tensors take no complex number of Python."""
    ops = mindspore.ops
    if not isinstance(input, mindspore.Tensor) and not isinstance(other, mindspore.Tensor):
        return input / other
    (a, b), (c, d) = torch_complex_parts(input), torch_complex_parts(other)
    if d is not None:
        size = c * c + d * d
        b = 0 if b is None else b
        return ops.Complex()((a * c + b * d) / size, (b * c - a * d) / size)
    if b is not None:
        return ops.Complex()(a / c, b / c)
    return input / other
