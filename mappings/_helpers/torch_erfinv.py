import math

import mindspore


def torch_erfinv(input):
    """PyTorch's erfinv: an approximation by Winitzki, improved in double precision; exact near -1 and 1, too."""
    dtype = input.dtype if input.is_floating_point() else mindspore.float32
    exact = input.astype(mindspore.float64)
    target = mindspore.ops.stop_gradient(exact)
    logarithm = mindspore.ops.log(1 - target * target)
    term = 2 / (math.pi * 0.147) + logarithm / 2
    size = mindspore.ops.sqrt(mindspore.ops.sqrt(term * term - logarithm / 0.147) - term)
    output = mindspore.ops.sign(target) * size
    for _ in range(3):
        error = (
            (mindspore.ops.erf(output) - target) * mindspore.ops.exp(output * output) * math.sqrt(math.pi) / 2
        )
        output = output - error / (1 + output * error)
    slope = mindspore.ops.exp(output * output) * math.sqrt(math.pi) / 2
    output = output + (exact - target) * slope  # the values stay; the gradient is the slope
    infinite = mindspore.ops.sign(target) * math.inf
    return mindspore.ops.where(mindspore.ops.abs(target) == 1, infinite, output).astype(dtype)
