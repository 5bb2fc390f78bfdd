import mindspore


def torch_adjust_brightness(img, brightness_factor):
    """torchvision's adjust_brightness: scales the brightness of an image of PIL or a tensor."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.py_transforms_util.adjust_brightness(img, brightness_factor)
    return torch_blend_images(img, mindspore.ops.zeros_like(img), brightness_factor)


torch_adjust_brightness.__name__ = "adjust_brightness"  # programs tell functions in a list apart by it
