import mindspore


def torch_tensordot(a, b, dims=2):
    """PyTorch's tensordot: sums over pairs of axes, the last of `a` and the first of `b` for a number."""
    if isinstance(dims, mindspore.Tensor):
        dims = dims.tolist()
    one, other = (range(a.ndim - dims, a.ndim), range(dims)) if isinstance(dims, int) else dims
    one, other = [axis % a.ndim for axis in one], [axis % b.ndim for axis in other]
    for axis, match in zip(one, other):  # an axis of length 1 is broadcast
        if a.shape[axis] == 1 != b.shape[match]:
            b = mindspore.ops.sum(b, match, True)
        elif b.shape[match] == 1 != a.shape[axis]:
            a = mindspore.ops.sum(a, axis, True)
    rows = [axis for axis in range(a.ndim) if axis not in one]
    columns = [axis for axis in range(b.ndim) if axis not in other]
    shape = [a.shape[axis] for axis in rows] + [b.shape[axis] for axis in columns]
    size = 1
    for axis in one:
        size *= a.shape[axis]
    a = a.transpose((*rows, *one)).reshape((-1, size)) if a.ndim else a.reshape((1, 1))
    b = b.transpose((*other, *columns)).reshape((size, -1)) if b.ndim else b.reshape((1, 1))
    return mindspore.ops.matmul(a, b).reshape(tuple(shape))
