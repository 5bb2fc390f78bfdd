import mindspore


def torch_adjust_hue(img, hue_factor):
    """torchvision's adjust_hue: moves the hue of an image of PIL."""
    if not hasattr(img, "mode"):
        raise TypeError("this transform is ported for images of PIL: put it before to_tensor")
    return mindspore.dataset.vision.py_transforms_util.adjust_hue(img, hue_factor)


torch_adjust_hue.__name__ = "adjust_hue"  # by which programs tell them apart that have several in a list
