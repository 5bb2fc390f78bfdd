import mindspore


def torch_adjust_brightness(img, brightness_factor):
    """torchvision's adjust_brightness: scales the brightness of an image of PIL."""
    if not hasattr(img, "mode"):
        raise TypeError("this transform is ported for images of PIL: put it before to_tensor")
    return mindspore.dataset.vision.py_transforms_util.adjust_brightness(img, brightness_factor)


torch_adjust_brightness.__name__ = (
    "adjust_brightness"  # by which programs tell them apart that have several in a list
)
