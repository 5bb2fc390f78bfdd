import mindspore


class TorchBatchNorm1d(mindspore.nn.BatchNorm1d):
    """mindspore.nn.BatchNorm1d with the arguments and attributes of PyTorch's; it starts in training mode."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **unused):
        statistics = None if track_running_stats else True
        super().__init__(num_features, eps, 1 - momentum, affine, use_batch_statistics=statistics)
        self.affine = affine
        self.set_train()

    weight = property(lambda self: self.gamma)
    bias = property(lambda self: self.beta)
    running_mean = property(lambda self: self.moving_mean)
    running_var = property(lambda self: self.moving_variance)
