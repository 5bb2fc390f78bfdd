import mindspore


def torch_resample(input, axis, wanted, factor=None, mode="nearest", align_corners=None):
    """One axis of PyTorch's functional.interpolate: each place along it takes its nearest, or weighs its neighbours.
    `factor` says how far apart places are, where that is not how much longer the axis gets."""
    length = input.shape[axis]
    factor = factor or wanted / length
    if mode in ("nearest", "nearest-exact"):
        offset = 0.5 if mode == "nearest-exact" else 0.0
        places = [min(int((place + offset) / factor), length - 1) for place in range(wanted)]
        return mindspore.ops.gather(input, mindspore.tensor(places), axis)
    if mode != "bicubic" and wanted == length:
        return input
    step = 1 / factor
    if align_corners:
        step = (length - 1) / (wanted - 1) if wanted > 1 else 0.0
    rows = []
    for place in range(wanted):
        source = place * step if align_corners else (place + 0.5) * step - 0.5
        if mode == "bicubic":
            first = int(source + 1) - 2
            t = source - first - 1
            outer = [-0.75 * d * (1 - d) * (1 - d) for d in (t, 1 - t)]
            inner = [(1.25 * d - 2.25) * d * d + 1 for d in (t, 1 - t)]
            weights = [outer[0], inner[0], inner[1], outer[1]]
        else:
            source = max(source, 0.0)
            first = int(source)
            weights = [1 - (source - first), source - first]
        row = [0.0] * length
        for near, weight in enumerate(weights):
            row[min(max(first + near, 0), length - 1)] += weight
        rows.append(row)
    weights = mindspore.tensor(rows, input.dtype)
    return mindspore.ops.matmul(input.swapaxes(axis, -1), weights.swapaxes(0, 1)).swapaxes(axis, -1)
