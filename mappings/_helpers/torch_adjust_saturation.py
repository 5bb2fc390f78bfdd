import mindspore


def torch_adjust_saturation(img, saturation_factor):
    """torchvision's adjust_saturation: scales the distance from grey of an image of PIL or a tensor."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.py_transforms_util.adjust_saturation(img, saturation_factor)
    if img.shape[-3] == 1:
        return img
    return torch_blend_images(img, torch_to_grayscale(img), saturation_factor)


torch_adjust_saturation.__name__ = "adjust_saturation"  # programs tell functions in a list apart by it
