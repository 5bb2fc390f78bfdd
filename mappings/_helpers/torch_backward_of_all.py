def torch_backward_of_all(tensors, grad_tensors=None, retain_graph=False, create_graph=False):
    """PyTorch's `torch.autograd.backward`: the gradients of one or several tensors, each times what `grad_tensors` has
    for it, are added to `grad` of the parameters of `torch_recorded` optimizers."""
    tensors = [tensors] if isinstance(tensors, mindspore.Tensor) else list(tensors)
    given = [grad_tensors] if isinstance(grad_tensors, mindspore.Tensor) else grad_tensors
    pairs = zip(tensors, given or [None] * len(tensors), strict=True)
    with TorchEnableGrad():
        losses = [tensor if gradient is None else (tensor * gradient).sum() for tensor, gradient in pairs]
        loss = sum(losses[1:], losses[0])
    torch_backward(loss, None, retain_graph, create_graph)
