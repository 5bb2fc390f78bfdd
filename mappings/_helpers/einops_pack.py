import mindspore


def einops_pack(tensors, pattern):
    """pack of einops for MindSpore tensors: the axes at the star of each made one, and all of them joined there."""
    names = pattern.split()
    first = names.index("*")
    behind = len(names) - first - 1
    parts, shapes = [], []
    for tensor in tensors:
        shape = tuple(tensor.shape)
        last = len(shape) - behind
        size = 1
        for one in shape[first:last]:
            size *= one
        shapes.append(shape[first:last])
        parts.append(tensor.reshape(shape[:first] + (size,) + shape[last:]))
    return mindspore.ops.cat(parts, first), shapes
