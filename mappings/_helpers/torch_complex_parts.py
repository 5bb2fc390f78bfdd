import mindspore


def torch_complex_parts(value):
    """The real and the imaginary part of a tensor or number; None as imaginary part of a real one."""
    if isinstance(value, mindspore.Tensor):
        is_complex = value.dtype in (mindspore.complex64, mindspore.complex128)
        return (mindspore.ops.real(value), mindspore.ops.imag(value)) if is_complex else (value, None)
    return (value.real, value.imag) if isinstance(value, complex) else (value, None)
