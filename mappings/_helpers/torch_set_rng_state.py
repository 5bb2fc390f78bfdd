import mindspore
import numpy


def torch_set_rng_state(new_state, *devices, **ignored):
    """PyTorch's set_rng_state, of what torch_get_rng_state gave. NumPy's numbers and Python's go on as they were."""
    import random  # in here: a file may call its function so (`from random import random`)

    others, own = numpy.random.get_state(), random.getstate()
    mindspore.set_seed(int(new_state.asnumpy().view("<i8")[0]))
    numpy.random.set_state(others)
    random.setstate(own)
