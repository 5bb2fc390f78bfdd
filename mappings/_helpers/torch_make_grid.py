import mindspore


def torch_make_grid(
    tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0
):
    """torchvision's make_grid: a batch of images, or a list of them, as one image."""
    tensor = mindspore.ops.stack(tensor) if isinstance(tensor, (list, tuple)) else tensor
    images = tensor.asnumpy().copy()
    images = images.reshape((1,) * (4 - images.ndim) + images.shape)
    if images.shape[1] == 1:
        images = images.repeat(3, axis=1)
    if normalize:
        for part in images if scale_each else [images]:
            low, high = value_range or (float(part.min()), float(part.max()))
            part[...] = (part.clip(low, high) - low) / max(high - low, 1e-5)
    count, channels, height, width = images.shape
    if count == 1:
        return mindspore.Tensor(images[0])
    columns = min(nrow, count)
    rows = -(-count // columns)
    size = (channels, rows * (height + padding) + padding, columns * (width + padding) + padding)
    grid = mindspore.ops.full(size, pad_value, dtype=tensor.dtype).asnumpy().copy()
    for place, image in enumerate(images):
        top = place // columns * (height + padding) + padding
        left = place % columns * (width + padding) + padding
        grid[:, top : top + height, left : left + width] = image
    return mindspore.Tensor(grid)
