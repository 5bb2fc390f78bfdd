def einops_unpack(tensor, packed_shapes, pattern):
    """unpack of einops for MindSpore tensors: undoes pack; one of the shapes may hold a -1."""
    first = pattern.split().index("*")
    shape = tuple(tensor.shape)
    sizes = []
    for packed in packed_shapes:
        size = 1
        for one in packed:
            size *= one
        sizes.append(size)
    start, parts = 0, []
    for packed, size in zip(packed_shapes, sizes):
        if size < 0:
            size = shape[first] - sum([one for one in sizes if one >= 0])
        part = tensor[(slice(None),) * first + (slice(start, start + size),)]
        parts.append(part.reshape(shape[:first] + tuple(packed) + shape[first + 1 :]))
        start += size
    return parts
