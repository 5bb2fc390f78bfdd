import mindspore


def torch_complex_sum(input, other):
    """`input + other` of which one is a complex number of Python: MindSpore's tensors take none."""
    tensor = next((one for one in (input, other) if isinstance(one, mindspore.Tensor)), None)
    if tensor is None:
        return input + other
    is_wide = tensor.dtype in (mindspore.float64, mindspore.complex128)
    kind = mindspore.complex128 if is_wide else mindspore.complex64
    first, second = (
        mindspore.Tensor(one, kind) if isinstance(one, complex) else one for one in (input, other)
    )
    return first + second
