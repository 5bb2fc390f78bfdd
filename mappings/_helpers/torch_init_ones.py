def torch_init_ones(tensor):
    """PyTorch's init.ones_: fills the tensor with ones and gives it back."""
    tensor[()] = 1
    return tensor
