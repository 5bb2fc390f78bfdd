import mindspore


def torch_hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """PyTorch's hinge_embedding_loss: distances of equal pairs, margins of others."""
    reduction = torch_reduction(size_average, reduce, reduction)
    nothing = mindspore.ops.zeros_like(input)
    loss = mindspore.ops.where(target != 1, mindspore.ops.relu(margin - input), nothing)
    loss = loss + mindspore.ops.where(target != -1, input, nothing)
    return {"mean": loss.mean, "sum": loss.sum}.get(reduction, lambda: loss)()
