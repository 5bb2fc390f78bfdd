import mindspore


def torch_hflip(img):
    """torchvision's hflip: mirrors left and right of an image of PIL or a tensor."""
    return img.transpose(0) if hasattr(img, "mode") else mindspore.ops.flip(img, (-1,))
