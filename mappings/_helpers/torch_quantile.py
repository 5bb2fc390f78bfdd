import math

import mindspore


def torch_quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """PyTorch's quantile: sorts and interpolates between two neighbours."""
    rows = input.reshape(-1) if dim is None else input.moveaxis(dim, -1)
    values = mindspore.ops.sort(rows, -1)[0]
    shares = list(q.reshape(-1)) if isinstance(q, mindspore.Tensor) else [q]
    results = []
    for share in shares:
        place = share * (rows.shape[-1] - 1)
        exact = place.item() if isinstance(place, mindspore.Tensor) else place
        low, high, weight = math.floor(exact), math.ceil(exact), place - math.floor(exact)
        if interpolation == "nearest":
            low = high = round(exact)
        elif interpolation == "lower":
            high = low
        elif interpolation == "higher":
            low = high
        elif interpolation == "midpoint":
            weight = 0.5
        one = values[..., low] + (values[..., high] - values[..., low]) * weight
        if keepdim:
            one = one.reshape((1,) * input.ndim) if dim is None else one.expand_dims(dim)
        results.append(one)
    return mindspore.ops.stack(results) if isinstance(q, mindspore.Tensor) and q.ndim else results[0]
