import mindspore


def torch_triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2.0,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """PyTorch's triplet_margin_loss: wants the anchor nearer to the positive than to the negative."""

    def distance(one, other):
        return ((one - other + eps).abs() ** p).sum(-1) ** (1 / p)

    reduction = torch_reduction(size_average, reduce, reduction)
    far = distance(anchor, negative)
    if swap:
        far = mindspore.ops.minimum(far, distance(positive, negative))
    loss = mindspore.ops.relu(distance(anchor, positive) - far + margin)
    return {"mean": loss.mean, "sum": loss.sum}.get(reduction, lambda: loss)()
