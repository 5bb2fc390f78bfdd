def torch_zero_grad(module):
    """PyTorch's `module.zero_grad()`: clears `grad` of the parameters of a Cell. From now on they are recorded, also
    where no optimizer has them and the program takes its steps by hand."""
    for parameter in module.get_parameters():
        parameter.grad = None
    TorchRecording.current().add(module.trainable_params())
