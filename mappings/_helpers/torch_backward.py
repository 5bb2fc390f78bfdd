def torch_backward(loss, gradient=None, retain_graph=False, create_graph=False):
    """PyTorch's `loss.backward(gradient)`: gradients are added to `grad` of the parameters of `torch_recorded`
    optimizers."""
    if create_graph:
        raise NotImplementedError("gradients of recorded programs cannot be differentiated again")
    if gradient is not None:
        with TorchEnableGrad():
            loss = (loss * gradient).sum()
    TorchRecording.current().differentiate(loss, retain_graph)
