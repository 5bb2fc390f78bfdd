import mindspore


def torch_init_uniform(tensor, a=0.0, b=1.0):
    """PyTorch's init.uniform_: fills the tensor with numbers between two bounds and gives it back."""
    low, high = (mindspore.Tensor(bound, mindspore.float32) for bound in (a, b))
    tensor[:] = mindspore.ops.uniform(tensor.shape, low, high).astype(tensor.dtype)
    return tensor
