import mindspore


def torch_pad(input, pad, mode="constant", value=None):
    """PyTorch's pad: widths from the last axis on, two for each; a negative one cuts."""
    pad = [int(width) for width in pad]
    cut = [slice(None)] * input.ndim
    for place in range(0, len(pad), 2):
        axis = input.ndim - 1 - place // 2
        before, behind = min(pad[place], 0), min(pad[place + 1], 0)
        if before or behind:
            cut[axis] = slice(-before, input.shape[axis] + behind)
    if any(width < 0 for width in pad):
        input = input[tuple(cut)].copy()  # padding reads a view at the wrong place
    grown = tuple(max(width, 0) for width in pad)
    return mindspore.ops.pad(input, grown, mode, value) if any(grown) else input
