import math


def torch_fan_in_and_fan_out(tensor):
    """How many values go into and out of one element of a weight, as torch.nn.init counts them."""
    if tensor.ndim < 2:
        raise ValueError("a tensor with fewer than two axes has no fan in and fan out")
    outputs, inputs, *kernel = tensor.shape
    return inputs * math.prod(kernel), outputs * math.prod(kernel)
