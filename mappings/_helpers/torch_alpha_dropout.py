import mindspore


def torch_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """PyTorch's alpha_dropout: sets values to the lower bound of SELU and keeps mean and variance."""
    if not training or p == 0:
        return input
    if p == 1:
        return mindspore.ops.zeros_like(input)
    kept = (mindspore.ops.rand(input.shape) >= p).astype(input.dtype)
    bound = 1.7580993408473766
    scale = ((bound * bound * p + 1) * (1 - p)) ** -0.5
    return input * kept * scale + (kept - 1 + p) * (bound * scale)
