import mindspore
import numpy


def torch_set_rng_state(new_state, *devices, **ignored):
    """PyTorch's set_rng_state, of what torch_get_rng_state gave. NumPy's numbers go on as they were."""
    others = numpy.random.get_state()
    mindspore.set_seed(int(new_state.asnumpy().view("<i8")[0]))
    numpy.random.set_state(others)
