import mindspore


def torch_interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """PyTorch's functional.interpolate, not antialiased: by mindspore.ops.interpolate where that puts the pixels at the
    same places, else by weights of its own."""
    if antialias:
        raise NotImplementedError("torch_interpolate has no antialias=True")
    lengths = input.shape[2:]
    factors = [None] * len(lengths)
    if size is None:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else [scale_factor] * len(lengths)
        exact = [length * factor for length, factor in zip(lengths, factors)]
        size = [int(length) for length in exact]
        # No size is greater than the exact one, so sums tell whether all are whole; lists do not compare in a graph.
        if recompute_scale_factor or align_corners or mode == "area" or sum(size) == sum(exact):
            factors = [None] * len(lengths)
    elif isinstance(size, int):
        size = [size] * len(lengths)
    if mode not in ("bicubic", "linear") and factors[0] is None:
        return mindspore.ops.interpolate(input, tuple(size), mode=mode, align_corners=align_corners)
    for axis, (wanted, factor) in enumerate(zip(size, factors)):
        input = torch_resample(input, axis + 2, wanted, factor, mode, align_corners)
    return input
