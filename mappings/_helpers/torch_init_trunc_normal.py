import mindspore


def torch_init_trunc_normal(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    """PyTorch's init.trunc_normal_: fills the tensor with a cut normal distribution and gives it back."""
    chosen = mindspore.common.initializer.TruncatedNormal(std, mean, a, b)
    tensor[:] = mindspore.common.initializer.initializer(chosen, tensor.shape, tensor.dtype).init_data()
    return tensor
