import mindspore


def torch_resized_crop(
    img,
    top,
    left,
    height,
    width,
    size,
    interpolation=mindspore.dataset.vision.Inter.BILINEAR,
    antialias=True,
):
    """torchvision's resized_crop: cuts a rectangle out of an image of PIL or a tensor and resizes it."""
    return TorchResize(size, interpolation, None, antialias)(torch_crop_image(img, top, left, height, width))
