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
    """PyTorch's functional.interpolate as far as mindspore.ops.interpolate computes the same: not bicubic, not smooth,
    and with factors that give whole sizes."""
    if antialias or mode == "bicubic":
        raise NotImplementedError("torch_interpolate has neither mode='bicubic' nor antialias=True")
    if size is None:
        lengths = input.shape[2:]
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else [scale_factor] * len(lengths)
        exact = [length * factor for length, factor in zip(lengths, factors)]
        size = tuple(int(length) for length in exact)
        # No size is greater than the exact one, so sums tell whether all are whole; lists do not compare in a graph.
        if not recompute_scale_factor and not align_corners and sum(size) != sum(exact):
            raise NotImplementedError("torch_interpolate needs factors that give whole sizes")
    elif isinstance(size, int):
        size = (size,) * (input.ndim - 2)
    return mindspore.ops.interpolate(input, tuple(size), mode=mode, align_corners=align_corners)
