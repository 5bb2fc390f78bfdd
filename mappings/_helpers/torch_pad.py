import mindspore


def torch_pad(input, pad, mode="constant", value=None):
    """PyTorch's pad: widths from the last axis on, two for each; a negative one cuts."""
    pad = [int(width) for width in pad]
    cut = [slice(None)] * input.ndim
    for place in range(0, len(pad), 2):
        axis = input.ndim - 1 - place // 2
        behind = min(pad[place + 1], 0)
        cut[axis] = slice(-min(pad[place], 0), behind or None)
    is_cut = any(width < 0 for width in pad)
    if is_cut and mode == "circular":
        input = input[tuple(cut)].copy()  # what is left goes round; padding reads a view at the wrong place
    grown = tuple(max(width, 0) for width in pad)
    if any(grown):
        input = mindspore.ops.pad(input, grown, mode, value)
    return input[tuple(cut)] if is_cut and mode != "circular" else input
