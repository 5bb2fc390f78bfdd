import mindspore


def torch_regions(boxes):
    """Boxes as torchvision's functions of regions take them, with the number of its image before each: a tensor as it
    is, or the boxes of each image in a list."""
    if isinstance(boxes, mindspore.Tensor):
        return boxes
    numbered = [
        mindspore.ops.cat((mindspore.ops.full_like(one[:, :1], i), one), 1) for i, one in enumerate(boxes)
    ]
    return mindspore.ops.cat(numbered)
