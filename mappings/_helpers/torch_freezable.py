import mindspore


def torch_freezable(weights):
    """The Parameter or network, differentiated by once: before MindSpore 2.8 a Parameter that is frozen when that
    happens for the first time gets gradients of zero ever after."""
    parameters = [weights] if isinstance(weights, mindspore.Parameter) else weights.get_parameters()
    parameters = [one for one in parameters if one.requires_grad]
    if parameters:
        mindspore.grad(lambda: sum((one * 0).sum() for one in parameters), None, parameters)()
    return weights
