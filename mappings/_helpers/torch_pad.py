import mindspore


def torch_pad(input, pad, mode="constant", value=None):
    """PyTorch's pad: widths from the last axis on, two for each; a negative one cuts. What is constant is joined: in a
    graph, the gradient of mindspore.ops.pad is right in its first run alone."""
    pad = [int(width) for width in pad]
    grown = tuple(max(width, 0) for width in pad)
    cuts = [max(-width, 0) for width in pad]

    def cut(tensor):
        # No view: padding reads one at the wrong place, and in a graph its gradient is lost.
        begin, size = [0] * tensor.ndim, list(tensor.shape)
        for place in range(0, len(cuts), 2):
            axis = tensor.ndim - 1 - place // 2
            begin[axis] = cuts[place]
            size[axis] = size[axis] - cuts[place] - cuts[place + 1]
        return mindspore.ops.slice(tensor, tuple(begin), tuple(size))

    def join(tensor):
        for place in range(0, len(grown), 2):
            axis = tensor.ndim - 1 - place // 2
            sides = []
            for width in grown[place : place + 2]:
                shape = (*tensor.shape[:axis], width, *tensor.shape[axis + 1 :])
                sides.append([mindspore.ops.full(shape, value or 0, dtype=tensor.dtype)] if width else [])
            parts = [*sides[0], tensor, *sides[1]]
            tensor = mindspore.ops.concat(parts, axis) if len(parts) > 1 else tensor
        return tensor

    if any(cuts) and mode == "circular":
        input = cut(input)  # what is left goes round
    if any(grown):
        input = join(input) if mode == "constant" else mindspore.ops.pad(input, grown, mode)
    return cut(input) if any(cuts) and mode != "circular" else input
