import mindspore


def torch_gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """PyTorch's gumbel_softmax, also for a temperature that is a whole number or a tensor."""
    draws = mindspore.ops.clamp(mindspore.ops.rand_like(logits), 1e-20)
    noise = -mindspore.ops.log(mindspore.ops.clamp(-mindspore.ops.log(draws), 1e-20))
    soft = mindspore.ops.softmax((logits + noise) / tau, axis=dim)
    if not hard:
        return soft
    places = mindspore.ops.argmax(soft, dim=dim, keepdim=True)
    ones = mindspore.ops.zeros_like(soft).scatter(dim, places, mindspore.ops.ones(places.shape, soft.dtype))
    return mindspore.ops.stop_gradient(ones - soft) + soft
