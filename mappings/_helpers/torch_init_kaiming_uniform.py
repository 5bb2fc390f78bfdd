import mindspore


def torch_init_kaiming_uniform(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    """PyTorch's init.kaiming_uniform_: He initialisation from a uniform distribution of the tensor, given back."""
    chosen = mindspore.common.initializer.HeUniform(a, mode, nonlinearity)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
