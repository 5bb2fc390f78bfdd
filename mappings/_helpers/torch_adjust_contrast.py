import mindspore


def torch_adjust_contrast(img, contrast_factor):
    """torchvision's adjust_contrast: scales the contrast of an image of PIL."""
    if not hasattr(img, "mode"):
        raise TypeError("this transform is ported for images of PIL: put it before to_tensor")
    return mindspore.dataset.vision.py_transforms_util.adjust_contrast(img, contrast_factor)


torch_adjust_contrast.__name__ = (
    "adjust_contrast"  # by which programs tell them apart that have several in a list
)
