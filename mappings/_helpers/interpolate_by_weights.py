import mindspore


def interpolate_by_weights(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None
):
    """mindspore.ops.interpolate of pictures in the modes `nearest` and `bilinear` as a product with weights for rows
    and for columns, which can be differentiated twice."""
    if input.ndim != 4:
        return mindspore.ops.interpolate(
            input, size, scale_factor, mode, align_corners, recompute_scale_factor
        )
    lengths = input.shape[-2:]
    if size is None:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor, scale_factor)
        size = [int(length * factor) for length, factor in zip(lengths, factors)]
    elif isinstance(size, int):
        size = (size, size)
    weights = []
    for length, wanted in zip(lengths, size):
        rows = []
        for place in range(wanted):
            if mode == "nearest":
                source = float(place * length // wanted)
            elif align_corners:
                source = place * (length - 1) / (wanted - 1) if wanted > 1 else 0.0
            else:
                source = min(max((place + 0.5) * length / wanted - 0.5, 0.0), length - 1.0)
            rows.append([max(1.0 - abs(source - one), 0.0) for one in range(length)])
        weights.append(rows)
    down = mindspore.tensor(weights[0], input.dtype)
    across = mindspore.tensor([list(column) for column in zip(*weights[1])], input.dtype)
    return mindspore.ops.matmul(mindspore.ops.matmul(down, input), across)
