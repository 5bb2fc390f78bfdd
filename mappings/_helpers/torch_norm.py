import mindspore


def torch_norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """PyTorch's norm for an order that only running tells: of all elements, or along axes."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    input = input if dtype is None else input.astype(dtype)
    if p == "nuc":
        return mindspore.ops.norm(input, p, dim, keepdim)
    order = 2 if p in (None, "fro") else int(p) if p == p // 1 and abs(p) != float("inf") else p
    if dim is None:
        norm = mindspore.ops.norm(input.reshape(-1), order, 0)
        return norm.reshape((1,) * input.ndim) if keepdim else norm
    if isinstance(dim, int):
        return mindspore.ops.norm(input, order, dim, keepdim)
    return mindspore.ops.vector_norm(input, order, tuple(dim), keepdim)
