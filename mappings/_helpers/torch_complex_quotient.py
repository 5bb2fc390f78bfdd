import mindspore


def torch_complex_quotient(input, other):
    """`input / other` where one of them may be complex: the gradient of MindSpore's own quotient of complex numbers is
    wrong."""
    ops = mindspore.ops
    kinds = (mindspore.complex64, mindspore.complex128)
    if not isinstance(other, mindspore.Tensor):
        return input / other
    if other.dtype in kinds:
        c, d = ops.real(other), ops.imag(other)
        size = c * c + d * d
        is_complex = isinstance(input, mindspore.Tensor) and input.dtype in kinds
        a, b = (ops.real(input), ops.imag(input)) if is_complex else (input, 0)
        return ops.Complex()((a * c + b * d) / size, (b * c - a * d) / size)
    if isinstance(input, mindspore.Tensor) and input.dtype in kinds:
        return ops.Complex()(ops.real(input) / other, ops.imag(input) / other)
    return input / other
