import mindspore


def torch_recorded_step(optimizer, twins, closure=None):
    """PyTorch's `step()`, with the gradients that `torch_backward` filled in. `twins` are parameters that stand for
    other tensors, with those. Parameters whose `grad` is None stay as they are."""
    loss = None if closure is None else closure()
    for tensor, parameter in twins.values():
        parameter.grad = getattr(tensor, "grad", None)
        mindspore.ops.assign(parameter, tensor)
    with mindspore._no_grad():
        reached = [one.grad is not None for one in optimizer.parameters]
        gradients = tuple(
            mindspore.ops.zeros_like(one) if one.grad is None else one.grad for one in optimizer.parameters
        )
        torch_step_reached(optimizer, reached, gradients)
        for ids in vars(optimizer).get("torch_rounds", ()):
            again = [one and id(each) in ids for one, each in zip(reached, optimizer.parameters)]
            torch_step_reached(optimizer, again, gradients)
        for tensor, parameter in twins.values():
            tensor[()] = parameter.value()
    return loss
