import mindspore


class TorchBatchNorm3d(mindspore.nn.BatchNorm3d):
    """mindspore.nn.BatchNorm3d with the arguments and attributes of PyTorch's; it starts in training mode."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **unused):
        statistics = None if track_running_stats else True
        super().__init__(num_features, eps, 1 - momentum, affine, use_batch_statistics=statistics)
        self.affine = affine
        self.set_train()

    weight = property(lambda self: self.bn2d.gamma)
    bias = property(lambda self: self.bn2d.beta)
    running_mean = property(lambda self: self.bn2d.moving_mean)
    running_var = property(lambda self: self.bn2d.moving_variance)
