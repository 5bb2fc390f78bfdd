import mindspore


def torch_sparse_tensor(
    indices, values, size=None, *, dtype=None, device=None, check_invariants=None, is_coalesced=None
):
    """A dense tensor of the values that PyTorch's sparse_coo_tensor holds, those at the same place added up:
    MindSpore's own COOTensor knows few operators on CPU."""
    indices = indices if isinstance(indices, mindspore.Tensor) else mindspore.Tensor(indices)
    values = values if isinstance(values, mindspore.Tensor) else mindspore.Tensor(values)
    if size is None:
        size = tuple(int(last) + 1 for last in indices.asnumpy().max(1)) + values.shape[1:]
    values = values if dtype is None else values.astype(dtype)
    zeros = mindspore.ops.zeros(tuple(size), values.dtype)
    return mindspore.ops.tensor_scatter_add(zeros, indices.T, values) if values.size else zeros
