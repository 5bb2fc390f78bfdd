import mindspore


def torch_cdist(x1, x2, p=2.0, compute_mode=None):
    """PyTorch's cdist; batch axes are broadcast."""
    batch = mindspore.ops.broadcast_to(
        x1[..., :1, :1], (*[1] * max(0, x2.ndim - x1.ndim), *x1.shape[:-2], 1, 1)
    )
    batch = (batch + x2[..., :1, :1] * 0).shape[:-2]
    x1 = mindspore.ops.broadcast_to(x1, (*batch, *x1.shape[-2:]))
    x2 = mindspore.ops.broadcast_to(x2, (*batch, *x2.shape[-2:]))
    return mindspore.ops.cdist(x1, x2, float(p))
