def torch_backward(loss, gradient=None, retain_graph=False):
    """PyTorch's `loss.backward(gradient)`: gradients are added to `grad` of the parameters of `torch_recorded`
    optimizers."""
    TorchRecording.current().differentiate(
        loss if gradient is None else (loss * gradient).sum(), retain_graph
    )
