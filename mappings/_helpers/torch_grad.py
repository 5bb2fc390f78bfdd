import mindspore


def torch_grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    materialize_grads=False,
):
    """PyTorch's `autograd.grad` of a recorded program: the gradients of `outputs` for `inputs`."""
    if create_graph:
        # MindSpore cuts some of these off without a word in PyNative mode.
        raise NotImplementedError("a gradient that is differentiated again has to be taken of a function")
    outputs = (outputs,) if isinstance(outputs, mindspore.Tensor) else tuple(outputs)
    inputs = (inputs,) if isinstance(inputs, mindspore.Tensor) else tuple(inputs)
    if grad_outputs is None or isinstance(grad_outputs, mindspore.Tensor):
        grad_outputs = (grad_outputs,) * len(outputs)
    total = 0
    with TorchEnableGrad():
        for output, weights in zip(outputs, grad_outputs):
            if weights is None and output.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if weights is not None:
                output = output * mindspore.ops.stop_gradient(weights)
            total = total + output.sum()
    gradients = TorchRecording.current().gradients(total, inputs)
    if materialize_grads:
        gradients = [
            mindspore.ops.zeros_like(one) if found is None else found for one, found in zip(inputs, gradients)
        ]
    elif not allow_unused and any(found is None for found in gradients):
        raise RuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if"
            " this is the desired behavior."
        )
    return tuple(None if found is None else mindspore.ops.stop_gradient(found) for found in gradients)
