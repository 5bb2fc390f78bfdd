import mindspore


def torch_vflip(img):
    """torchvision's vflip: mirrors top and bottom of an image of PIL or a tensor."""
    return img.transpose(1) if hasattr(img, "mode") else mindspore.ops.flip(img, (-2,))
