import mindspore


def torch_mask_along_axis(specgram, mask_param, mask_value, axis, p=1.0, iid_masks=False):
    """torchaudio's mask_along_axis: a band of random width, below `mask_param` and `p` of the axis, gets a value; with
    `iid_masks` another one in each spectrogram."""
    size = specgram.shape[axis]
    mask_param = min(mask_param, int(size * p)) if p < 1 else mask_param
    if mask_param < 1:
        return specgram
    shape = specgram.shape[:-2] if iid_masks else ()
    width = mindspore.ops.rand(shape + (1, 1)) * mask_param
    start = (mindspore.ops.rand(shape + (1, 1)) * (size - width)).astype(mindspore.int32)
    places = mindspore.ops.arange(size).reshape((-1, 1) if axis in (-2, specgram.ndim - 2) else (1, -1))
    is_masked = mindspore.ops.logical_and(places >= start, places < start + width.astype(mindspore.int32))
    return specgram.masked_fill(is_masked, mask_value)
