import mindspore


def torch_rsample(distribution, sample_shape=()):
    """PyTorch's rsample: gradients go through `sample` of MindSpore's distributions, and `rsample` of others. Where the
    parameters have no elements neither has the draw, which MindSpore refuses to make."""
    shape = (*sample_shape, *(getattr(distribution, "batch_shape", None) or ()))
    if 0 in shape:
        return mindspore.Tensor(shape=shape, dtype=mindspore.float32, init="zeros")
    draw = getattr(distribution, "rsample", distribution.sample)
    return draw(tuple(sample_shape))
