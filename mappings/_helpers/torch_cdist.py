import itertools

import mindspore


def torch_cdist(x1, x2, p=2.0, compute_mode=None):
    """PyTorch's cdist; batch axes are broadcast, and there may be several."""
    pairs = itertools.zip_longest(reversed(x1.shape[:-2]), reversed(x2.shape[:-2]), fillvalue=1)
    batch = tuple(reversed([one if other == 1 else other for one, other in pairs]))
    x1 = mindspore.ops.broadcast_to(x1, (*batch, *x1.shape[-2:]))
    x2 = mindspore.ops.broadcast_to(x2, (*batch, *x2.shape[-2:]))
    if len(batch) < 2:
        return mindspore.ops.cdist(x1, x2, float(p))
    x1, x2 = x1.reshape((-1, *x1.shape[-2:])), x2.reshape((-1, *x2.shape[-2:]))
    return mindspore.ops.cdist(x1, x2, float(p)).reshape((*batch, x1.shape[-2], x2.shape[-2]))
