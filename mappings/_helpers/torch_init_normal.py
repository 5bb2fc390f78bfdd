import mindspore


def torch_init_normal(tensor, mean=0.0, std=1.0):
    """PyTorch's init.normal_: fills the tensor with numbers of a normal distribution and gives it back."""
    chosen = mindspore.common.initializer.Normal(std, mean)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
