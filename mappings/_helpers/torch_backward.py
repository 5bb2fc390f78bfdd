def torch_backward(loss, gradient=None, retain_graph=False, create_graph=False):
    """PyTorch's `loss.backward(gradient)`: gradients are added to `grad` of the parameters of `torch_recorded`
    optimizers."""
    if create_graph:
        raise NotImplementedError("gradients of recorded programs cannot be differentiated again")
    TorchRecording.current().differentiate(
        loss if gradient is None else (loss * gradient).sum(), retain_graph
    )
