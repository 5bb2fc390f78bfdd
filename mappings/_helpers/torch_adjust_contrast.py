import mindspore


def torch_adjust_contrast(img, contrast_factor):
    """torchvision's adjust_contrast: scales the distance from the mean grey of an image of PIL or a tensor."""
    if hasattr(img, "mode"):
        return mindspore.dataset.vision.py_transforms_util.adjust_contrast(img, contrast_factor)
    grey = torch_to_grayscale(img) if img.shape[-3] == 3 else img
    grey = grey if img.is_floating_point() else grey.astype(mindspore.float32)
    return torch_blend_images(img, grey.mean((-3, -2, -1), True), contrast_factor)


torch_adjust_contrast.__name__ = "adjust_contrast"  # programs tell functions in a list apart by it
