import mindspore


def pad_by_indices(input_x, padding, mode, value=None):
    """mindspore.ops.pad in the modes `reflect`, `replicate` and `circular` by indices, which can be differentiated
    twice: widths from the last axis on, two for each."""
    x = input_x
    for axis in range(len(padding) // 2):
        last = x.shape[-1 - axis] - 1
        places = range(-padding[2 * axis], last + padding[2 * axis + 1] + 1)
        if mode == "reflect":
            places = [last - abs(last - abs(place)) for place in places]
        elif mode == "replicate":
            places = [min(max(place, 0), last) for place in places]
        else:
            places = [place % (last + 1) for place in places]
        index = mindspore.tensor(places, dtype=mindspore.int32)
        if axis == 0:
            x = x[..., index]
        elif axis == 1:
            x = x[..., index, :]
        else:
            x = x[..., index, :, :]
    return x
