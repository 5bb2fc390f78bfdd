import mindspore


class TorchBatchNorm2d(mindspore.nn.BatchNorm2d):
    """mindspore.nn.BatchNorm2d with the arguments and attributes of PyTorch's; it starts in training mode."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **unused):
        statistics = None if track_running_stats else True
        kept = 0.0 if momentum is None else 1 - momentum
        super().__init__(num_features, eps, kept, affine, use_batch_statistics=statistics)
        self.affine, self.track_running_stats = affine, track_running_stats
        self.batches_averaged = 0 if momentum is None and track_running_stats else None
        self.set_train()

    def __setattr__(self, name, value):
        super().__setattr__({"weight": "gamma", "bias": "beta"}.get(name, name), value)
        if name in ("eps", "momentum") and value is not None and hasattr(self, "bn_infer"):
            # MindSpore reads them once, when it builds the layer.
            settings = {"epsilon": float(self.eps), "data_format": self.format}
            self.bn_train = mindspore.ops.BatchNorm(True, momentum=float(self.momentum), **settings)
            self.bn_infer = mindspore.ops.BatchNorm(False, **settings)

    def construct(self, x):
        if self.batches_averaged is None or not self.training:
            return super().construct(x)
        statistics = (self.running_mean, self.running_var)
        averages = [parameter.copy() for parameter in statistics]
        output = super().construct(x)
        self.batches_averaged += 1
        for parameter, average in zip(statistics, averages):
            parameter.set_data(average + (parameter - average) / self.batches_averaged)
        return output

    weight = property(lambda self: self.gamma if self.affine else None)
    bias = property(lambda self: self.beta if self.affine else None)
    running_mean = property(lambda self: self.moving_mean)
    running_var = property(lambda self: self.moving_variance)


TorchBatchNorm2d.__name__ = "BatchNorm2d"  # code may ask for it
