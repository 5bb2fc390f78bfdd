import mindspore


def torch_adjust_saturation(img, saturation_factor):
    """torchvision's adjust_saturation: scales the saturation of an image of PIL."""
    if not hasattr(img, "mode"):
        raise TypeError("this transform is ported for images of PIL: put it before to_tensor")
    return mindspore.dataset.vision.py_transforms_util.adjust_saturation(img, saturation_factor)


torch_adjust_saturation.__name__ = (
    "adjust_saturation"  # by which programs tell them apart that have several in a list
)
