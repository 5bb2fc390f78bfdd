import mindspore
import numpy


def torch_draws(generator):
    """NumPy's random numbers for one draw of a generator: others at each call, the same ones again after the same
    `manual_seed`."""
    if generator is None:
        return numpy.random.default_rng(numpy.random.randint(2**31))
    state = generator.get_state().asnumpy()
    offset = int.from_bytes(state[8:].tobytes(), "little")
    following = numpy.frombuffer((offset + 1).to_bytes(8, "little"), numpy.uint8)
    generator.set_state(mindspore.Tensor(numpy.concatenate([state[:8], following])))
    return numpy.random.default_rng((generator.initial_seed(), offset))
