import math


def einops_unpack(tensor, packed_shapes, pattern):
    """unpack of einops for MindSpore tensors: undoes pack; one of the shapes may hold a -1."""
    first = pattern.split().index("*")
    shape = tuple(tensor.shape)
    known = sum(math.prod(one) for one in packed_shapes if -1 not in one)
    start, parts = 0, []
    for one in packed_shapes:
        size = math.prod(one) if -1 not in one else shape[first] - known
        part = tensor[(slice(None),) * first + (slice(start, start + size),)]
        parts.append(part.reshape((*shape[:first], *one, *shape[first + 1 :])))
        start += size
    return parts
