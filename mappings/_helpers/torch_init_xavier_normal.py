import mindspore


def torch_init_xavier_normal(tensor, gain=1.0):
    """PyTorch's init.xavier_normal_: Glorot initialisation from a normal distribution of the tensor, given back."""
    chosen = mindspore.common.initializer.XavierNormal(gain)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
