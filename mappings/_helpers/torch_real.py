import mindspore


def torch_real(input):
    """PyTorch's real: a real tensor is its own real part, and its gradient stays real."""
    return mindspore.ops.real(input) if input.is_complex() else input
