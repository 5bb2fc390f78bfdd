import mindspore


def torch_init_kaiming_normal(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu"):
    """PyTorch's init.kaiming_normal_: He initialisation from a normal distribution of the tensor, given back."""
    chosen = mindspore.common.initializer.HeNormal(a, mode, nonlinearity)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
