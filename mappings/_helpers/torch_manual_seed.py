import mindspore


def torch_manual_seed(seed):
    """PyTorch's manual_seed, where its generator is used: one that is seeded like all random numbers."""
    mindspore.set_seed(seed)
    generator = mindspore.Generator()
    generator.manual_seed(seed)
    return generator
