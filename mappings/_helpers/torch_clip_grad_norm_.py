import mindspore


def torch_clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, **unused):
    """PyTorch's clip_grad_norm_: scales `grad` of all parameters so that their norm together is at most `max_norm`.
    Returns the norm before."""
    parameters = [parameters] if isinstance(parameters, mindspore.Tensor) else list(parameters)
    parameters = [one for one in parameters if getattr(one, "grad", None) is not None]
    if not parameters:
        return mindspore.Tensor(0.0)
    norms = mindspore.ops.stack([one.grad.abs().flatten().norm(norm_type) for one in parameters])
    total = norms.norm(norm_type)
    if error_if_nonfinite and not bool(mindspore.ops.isfinite(total)):
        raise RuntimeError(
            f"the norm of order {norm_type} of the gradients is not finite, so nothing is clipped"
        )
    scale = mindspore.ops.minimum(max_norm / (total + 1e-6), mindspore.Tensor(1.0, total.dtype))
    with mindspore._no_grad():  # in place: who has the gradient by another name sees it, too
        for parameter in parameters:
            parameter.grad[()] = parameter.grad * scale
    return total
