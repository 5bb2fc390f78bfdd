import math

import mindspore


def einops_pack(tensors, pattern):
    """pack of einops for MindSpore tensors: the axes at the star of each made one, and all of them joined there."""
    names = pattern.split()
    first = names.index("*")
    behind = len(names) - first - 1
    parts, shapes = [], []
    for tensor in tensors:
        last = tensor.ndim - behind
        shape = tuple(tensor.shape)
        shapes.append(shape[first:last])
        parts.append(tensor.reshape((*shape[:first], math.prod(shape[first:last]), *shape[last:])))
    return mindspore.ops.cat(parts, first), shapes
