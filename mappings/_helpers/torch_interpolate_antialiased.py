import mindspore


def torch_interpolate_antialiased(
    input, size=None, scale_factor=None, mode=None, recompute_scale_factor=None
):
    """PyTorch's functional.interpolate of images with antialias=True: a pixel weighs all that it covers."""
    lengths = input.shape[2:]
    if size is None:
        factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor, scale_factor)
        size = [int(length * factor) for length, factor in zip(lengths, factors)]
    elif isinstance(size, int):
        size = (size, size)
    if scale_factor is None or recompute_scale_factor:
        factors = [new / old for new, old in zip(size, lengths)]
    resize = mindspore.ops.ScaleAndTranslate({"bilinear": "triangle", "bicubic": "keyscubic"}[mode], True)
    resized = resize(
        input.astype(mindspore.float32).permute(0, 2, 3, 1),
        mindspore.tensor(list(size), mindspore.int32),
        mindspore.tensor(list(factors), mindspore.float32),
        mindspore.tensor([0.0, 0.0], mindspore.float32),
    )
    return resized.permute(0, 3, 1, 2).astype(input.dtype)
