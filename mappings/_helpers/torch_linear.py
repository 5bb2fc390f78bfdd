import mindspore


def torch_linear(input, weight, bias=None):
    """PyTorch's linear. Of no rows, the gradient of `mindspore.ops.dense` for the weight is what the memory holds on a
    CPU; PyTorch's is zero. Of no features, what it gives is."""
    if input.size:
        return mindspore.ops.dense(input, weight, bias)
    shape = (*input.shape[:-1], weight.shape[0])
    if weight.size:
        rows = mindspore.ops.matmul(input.reshape((0, input.shape[-1])), weight.swapaxes(0, 1)).reshape(shape)
    else:
        rows = mindspore.ops.zeros(shape, input.dtype)
    return rows if bias is None else rows + bias
