import itertools

import mindspore


def torch_maskrcnn_inference(x, labels):
    """torchvision's maskrcnn_inference: the masks of the classes that were found, for each image."""
    classes = mindspore.ops.cat(labels)
    masks = mindspore.ops.sigmoid(x)[mindspore.ops.arange(len(classes)), classes][:, None]
    ends = [0]
    for one in labels:
        ends.append(ends[-1] + len(one))
    return tuple(masks[start:end] for start, end in itertools.pairwise(ends))
