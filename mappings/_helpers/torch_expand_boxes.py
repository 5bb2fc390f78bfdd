import mindspore


def torch_expand_boxes(boxes, scale):
    """torchvision's expand_boxes: makes boxes larger around their middle."""
    start, end = boxes[:, :2], boxes[:, 2:]
    middle, half = (start + end) * 0.5, (end - start) * 0.5 * scale
    return mindspore.ops.cat((middle - half, middle + half), 1)
