import mindspore


class TorchSyncBatchNorm(mindspore.nn.Cell):
    """PyTorch's SyncBatchNorm in one process: batch normalisation over all axes but the second, of any rank."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        **unused,
    ):
        super().__init__()
        statistics = None if track_running_stats else True
        self.norm = mindspore.nn.BatchNorm2d(
            num_features, eps, 1 - momentum, affine, use_batch_statistics=statistics
        )
        self.set_train()

    def construct(self, x):
        return self.norm(x.reshape((*x.shape[:2], -1, 1))).reshape(x.shape)

    weight = property(lambda self: self.norm.gamma)
    bias = property(lambda self: self.norm.beta)
    running_mean = property(lambda self: self.norm.moving_mean)
    running_var = property(lambda self: self.norm.moving_variance)
