import mindspore


def torch_resize_image(
    img, size, interpolation=mindspore.dataset.vision.Inter.BILINEAR, max_size=None, antialias=True
):
    """torchvision's resize of an image of PIL or a tensor; one number is the length of the shorter edge."""
    return TorchResize(size, interpolation, max_size, antialias)(img)
