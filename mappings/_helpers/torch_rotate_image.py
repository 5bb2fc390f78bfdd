import mindspore


def torch_rotate_image(
    img,
    angle,
    interpolation=mindspore.dataset.vision.Inter.NEAREST,
    expand=False,
    center=None,
    fill=None,
):
    """torchvision's rotate: turns an image of PIL around its middle, against the clock."""
    if not hasattr(img, "mode"):
        raise TypeError("rotate is ported for images of PIL: use it before to_tensor")
    bands = len(img.getbands())
    if bands > 1 and isinstance(fill, (int, float)):
        fill = (int(fill),) * bands
    resample = getattr(interpolation, "value", interpolation)
    return img.rotate(
        angle, resample, expand, center, fillcolor=tuple(fill) if isinstance(fill, list) else fill
    )
