import mindspore


def torch_init_orthogonal(tensor, gain=1):
    """PyTorch's init.orthogonal_: fills the tensor with an orthogonal matrix and gives it back."""
    chosen = mindspore.common.initializer.Orthogonal(gain)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
