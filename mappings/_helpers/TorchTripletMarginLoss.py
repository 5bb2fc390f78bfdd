import mindspore


class TorchTripletMarginLoss(mindspore.nn.LossBase):
    """PyTorch's TripletMarginLoss: wants the anchor nearer to the positive than to the negative by a margin."""

    def __init__(
        self,
        margin=1.0,
        p=2.0,
        eps=1e-6,
        swap=False,
        size_average=None,
        reduce=None,
        reduction="mean",
    ):
        super().__init__()
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap
        reduction = torch_reduction(size_average, reduce, reduction)
        self.reduction = reduction

    def distance(self, one, other):
        sides = (one - other + self.eps).abs()
        if self.p == 2:
            return mindspore.ops.sqrt(mindspore.ops.sum(sides * sides, -1))
        return mindspore.ops.sum(sides**self.p, -1) ** (1 / self.p)

    def construct(self, anchor, positive, negative):
        far = self.distance(anchor, negative)
        if self.swap:
            far = mindspore.ops.minimum(far, self.distance(positive, negative))
        loss = mindspore.ops.relu(self.distance(anchor, positive) - far + self.margin)
        return {"mean": loss.mean, "sum": loss.sum}.get(self.reduction, lambda: loss)()
