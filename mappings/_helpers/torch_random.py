import mindspore


def torch_random(generator=None):
    """Random numbers of Python that begin with the seed of the generator, or follow mindspore.set_seed."""
    import random  # in here: a file may call its function so (`from random import random`)

    if generator is not None:
        return random.Random(generator.initial_seed())
    return random.Random(int(mindspore.ops.randint(0, 2**31 - 1, (1,)).asnumpy()[0]))
