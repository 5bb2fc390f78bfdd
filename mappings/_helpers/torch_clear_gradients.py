import mindspore


def torch_clear_gradients(optimizer, twins, set_to_none=True):
    """PyTorch's `zero_grad()` of an optimizer, and of the tensors that some of its parameters stand for."""
    for parameter in [*optimizer.parameters, *(tensor for tensor, _ in twins.values())]:
        if getattr(parameter, "grad", None) is not None:
            parameter.grad = None if set_to_none else mindspore.ops.zeros_like(parameter.grad)
