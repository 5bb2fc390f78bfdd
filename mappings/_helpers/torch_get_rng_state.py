import mindspore
import numpy


def torch_get_rng_state(*devices, **ignored):
    """PyTorch's get_rng_state, as bytes: draws a number and starts anew with it. NumPy goes on as it was."""
    others = numpy.random.get_state()
    seed = int(mindspore.ops.rand(1)[0] * 2**24)
    mindspore.set_seed(seed)
    numpy.random.set_state(others)
    return mindspore.Tensor(numpy.array([seed], dtype="<i8").view("uint8"))
