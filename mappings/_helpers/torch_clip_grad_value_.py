import mindspore


def torch_clip_grad_value_(parameters, clip_value, **unused):
    """PyTorch's clip_grad_value_: limits every element of `grad` to the range of -clip_value to clip_value."""
    parameters = [parameters] if isinstance(parameters, mindspore.Tensor) else list(parameters)
    with mindspore._no_grad():  # in place: who has the gradient by another name sees it, too
        for parameter in parameters:
            if getattr(parameter, "grad", None) is not None:
                parameter.grad[()] = parameter.grad.clamp(-clip_value, clip_value)
