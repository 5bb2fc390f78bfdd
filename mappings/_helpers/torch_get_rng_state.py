import mindspore
import numpy


def torch_get_rng_state(*devices, **ignored):
    """PyTorch's get_rng_state, as bytes: draws a number and starts anew with it. NumPy and Python's `random` go on as
    they were."""
    import random  # in here: a file may call its function so (`from random import random`)

    others, own = numpy.random.get_state(), random.getstate()
    seed = int(mindspore.ops.rand(1)[0] * 2**24)
    mindspore.set_seed(seed)
    numpy.random.set_state(others)
    random.setstate(own)
    return mindspore.Tensor(numpy.array([seed], dtype="<i8").view("uint8"))
