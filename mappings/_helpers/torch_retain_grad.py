def torch_retain_grad(tensor):
    """PyTorch's `tensor.retain_grad()`: `torch_backward` fills `grad` of what was computed, too."""
    before = {}  # by the number of a backward: `grad` as it was then

    def keep(gradient):
        known = before.setdefault(TorchRecording.current().backwards, tensor.grad)
        tensor.grad = gradient if known is None else known + gradient

    tensor.grad = None
    tensor.register_hook(keep)
