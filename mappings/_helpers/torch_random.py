import mindspore


def torch_random(generator=None):
    """Random numbers of Python, seeded by the next draw of the generator, or of MindSpore (mindspore.set_seed)."""
    import random  # in here: a file may call its function so (`from random import random`)

    if generator is not None:
        return random.Random(int(torch_draws(generator).integers(2**31)))
    return random.Random(int(mindspore.ops.randint(0, 2**31 - 1, (1,)).asnumpy()[0]))
