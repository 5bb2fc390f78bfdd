import mindspore


def torch_histc(input, bins=100, min=0, max=0):
    """PyTorch's histc: counts the values in equal bins; what lies outside of them is left out."""
    values = mindspore.ops.stop_gradient(input).reshape(-1)
    if values.size == 0:
        return mindspore.ops.zeros(bins, input.dtype)
    if min == max:
        min, max = values.min().item(), values.max().item()
    if min == max:
        min, max = min - 1, max + 1
    places = (
        mindspore.ops.floor((values - min) / (max - min) * bins).clamp(0, bins - 1).astype(mindspore.int32)
    )
    is_inside = mindspore.ops.logical_and(values >= min, values <= max).astype(input.dtype)
    return mindspore.ops.unsorted_segment_sum(is_inside, places, bins)
