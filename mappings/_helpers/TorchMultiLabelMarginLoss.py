import mindspore


class TorchMultiLabelMarginLoss(mindspore.nn.LossBase):
    """PyTorch's MultiLabelMarginLoss: wants every right class, listed up to -1, above every other one."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        reduction = torch_reduction(size_average, reduce, reduction)
        self.reduction = reduction

    def construct(self, input, target):
        classes = input.shape[-1]
        listed = mindspore.ops.cumprod((target >= 0).astype(mindspore.int32), -1).astype(input.dtype)
        chosen = mindspore.ops.maximum(target, 0).astype(mindspore.int32)
        places = mindspore.ops.arange(classes).astype(mindspore.int32)
        at_class = (chosen.expand_dims(-1) == places).astype(input.dtype) * listed.expand_dims(-1)
        others = 1 - at_class.max(axis=-2)
        right = (at_class * input.expand_dims(-2)).sum(axis=-1)
        gaps = mindspore.ops.relu(1 - right.expand_dims(-1) + input.expand_dims(-2))
        loss = (gaps * listed.expand_dims(-1) * others.expand_dims(-2)).sum(axis=(-2, -1)) / classes
        return {"mean": loss.mean, "sum": loss.sum}.get(self.reduction, lambda: loss)()
