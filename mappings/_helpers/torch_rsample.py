def torch_rsample(distribution, sample_shape=()):
    """PyTorch's rsample: gradients go through `sample` of MindSpore's distributions, and `rsample` of others."""
    draw = getattr(distribution, "rsample", distribution.sample)
    return draw(tuple(sample_shape))
