def torch_addcdiv(input, tensor1, tensor2, value=1):
    """PyTorch's addcdiv: input + value * tensor1 / tensor2."""
    return input + value * tensor1 / tensor2
