import mindspore


def torch_norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """PyTorch's norm for an order that only running tells: of all elements, or along axes."""
    if out is not None:
        raise NotImplementedError("MindSpore returns a new tensor; it cannot write into a given one")
    if p == "nuc":
        return mindspore.ops.norm(input if dtype is None else input.astype(dtype), p, dim, keepdim)
    return torch_vector_norm(input, 2 if p in (None, "fro") else p, dim, keepdim, dtype=dtype)
