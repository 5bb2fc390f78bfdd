import mindspore


def torch_complex_product(input, other):
    """`input * other` where one of them may be complex: MindSpore's own product of complex numbers has no gradient,
    takes no tensor of real ones beside them on a CPU, and no complex number of Python."""
    ops = mindspore.ops
    if not isinstance(input, mindspore.Tensor) and not isinstance(other, mindspore.Tensor):
        return input * other
    (a, b), (c, d) = torch_complex_parts(input), torch_complex_parts(other)
    if b is None and d is None:
        return input * other
    if d is None:
        return ops.Complex()(a * c, b * c)
    if b is None:
        return ops.Complex()(a * c, a * d)
    return ops.Complex()(a * c - b * d, a * d + b * c)
