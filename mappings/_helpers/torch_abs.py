import mindspore


def torch_abs(input):
    """PyTorch's abs: of complex numbers it is real, where MindSpore's stays complex."""
    size = mindspore.ops.abs(input)
    return mindspore.ops.real(size) if input.is_complex() else size
