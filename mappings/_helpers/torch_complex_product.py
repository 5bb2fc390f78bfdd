import mindspore


def torch_complex_product(input, other):
    """`input * other` where one of them may be complex: MindSpore's own product of complex numbers has no gradient, and
    takes no tensor of real ones beside them on a CPU."""
    ops = mindspore.ops
    kinds = (mindspore.complex64, mindspore.complex128)
    both = (input, other)
    if not all(isinstance(one, mindspore.Tensor) for one in both) or not any(
        one.dtype in kinds for one in both
    ):
        return input * other
    if other.dtype not in kinds:
        return ops.Complex()(ops.real(input) * other, ops.imag(input) * other)
    if input.dtype not in kinds:
        return ops.Complex()(input * ops.real(other), input * ops.imag(other))
    (a, b), (c, d) = ((ops.real(one), ops.imag(one)) for one in both)
    return ops.Complex()(a * c - b * d, a * d + b * c)
