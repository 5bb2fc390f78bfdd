import mindspore


def torch_unique_slices(input, dim, return_inverse=False, return_counts=False):
    """PyTorch's unique along an axis, in operators that a graph has: every two slices are compared."""
    rows = mindspore.ops.swapaxes(input, 0, dim).reshape(input.shape[dim], -1)
    signs = mindspore.ops.sign(rows[:, None] - rows[None]).astype(mindspore.float32)
    moved = mindspore.ops.abs(signs)
    # Two slices are in the order of their first elements that differ.
    first = mindspore.ops.where(mindspore.ops.cumsum(moved, -1) == 1, signs * moved, 0 * signs)
    smaller = (mindspore.ops.sign(first.sum(-1)) < 0).astype(mindspore.float32)
    order = mindspore.ops.argsort(smaller.sum(0))
    ordered = mindspore.ops.gather(input, order, dim)
    found = mindspore.ops.unique_consecutive(ordered, return_inverse, return_counts, dim)
    if not return_inverse:
        return found
    return (found[0], found[1][mindspore.ops.argsort(order)], *found[2:])
