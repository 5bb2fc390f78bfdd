import mindspore


def torch_expanded(distribution, batch_shape):
    """PyTorch's Distribution.expand: the same distribution with a larger batch. One of MindSpore's is made anew from
    its parameters."""
    if hasattr(distribution, "expand"):
        return distribution.expand(batch_shape)
    whole = isinstance(distribution, mindspore.nn.probability.distribution.Categorical)
    parameters = {
        name: mindspore.ops.broadcast_to(value, (*batch_shape, *(value.shape[-1:] if whole else ())))
        for name, value in zip(distribution.parameter_names, distribution.default_parameters)
    }
    return type(distribution)(**parameters, dtype=distribution.dtype)
