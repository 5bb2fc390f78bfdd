import mindspore


def torch_scatter(input, dim, index, src, reduce=None):
    """PyTorch's scatter of a tensor or one number, also with an index that is smaller than the tensor of values, and of
    indices, which MindSpore may give in another dtype."""
    if not isinstance(src, mindspore.Tensor):
        src = mindspore.ops.full_like(index, src, dtype=input.dtype)
    if input.ndim == 0:
        return torch_scatter(input.reshape(1), 0, index.reshape(-1), src.reshape(-1), reduce).reshape(())
    if src.shape != index.shape:
        src = src[tuple(slice(size) for size in index.shape)]
    if reduce:  # tensor_scatter_elements' own addition loses values on the CPU where a place stands twice
        return torch_scatter_reduce(input, dim, index, src, {"add": "sum", "multiply": "prod"}[reduce])
    return mindspore.ops.tensor_scatter_elements(input, index, src.astype(input.dtype), dim)
