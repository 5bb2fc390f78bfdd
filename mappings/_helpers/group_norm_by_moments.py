import mindspore


def group_norm_by_moments(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Group normalisation from mean and variance, which can be differentiated twice in a graph."""
    groups = input.reshape(input.shape[0], num_groups, -1)
    groups = groups - groups.mean(-1, keep_dims=True)
    groups = groups * mindspore.ops.rsqrt((groups * groups).mean(-1, keep_dims=True) + eps)
    result, channels = groups.reshape(input.shape), (-1,) + (1,) * (input.ndim - 2)
    result = result if weight is None else result * weight.reshape(channels)
    return result if bias is None else result + bias.reshape(channels)
