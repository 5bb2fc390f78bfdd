import mindspore


def torch_freezable(parameter):
    """The parameter, differentiated by once: before MindSpore 2.8 one that is frozen when that happens for the first
    time gets gradients of zero ever after."""
    if parameter.requires_grad and not hasattr(mindspore.Tensor, "requires_grad_"):
        mindspore.grad(lambda: (parameter * 0).sum(), None, [parameter])()
    return parameter
