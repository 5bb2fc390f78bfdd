import mindspore


def torch_init_xavier_uniform(tensor, gain=1.0):
    """PyTorch's init.xavier_uniform_: Glorot initialisation from a uniform distribution of the tensor, given back."""
    chosen = mindspore.common.initializer.XavierUniform(gain)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
