import mindspore


class TorchBatchNorm(TorchBatchNorm2d):
    """The base class of PyTorch's batch norms: it takes an input of any rank, and its statistics can be assigned."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **unused):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
        self.momentum = momentum
        self.track_running_stats = track_running_stats
        self.num_batches_tracked = mindspore.Tensor(0) if track_running_stats else None

    def __setattr__(self, name, value):
        statistic = {"running_mean": "moving_mean", "running_var": "moving_variance"}.get(name)
        if statistic is None:
            mindspore.nn.Cell.__setattr__(self, name, value)
        else:
            getattr(self, statistic).set_data(mindspore.ops.stop_gradient(value))

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean = mindspore.ops.zeros_like(self.moving_mean)
            self.running_var = mindspore.ops.ones_like(self.moving_variance)
            self.num_batches_tracked = mindspore.Tensor(0)

    def reset_parameters(self):
        self.reset_running_stats()
        self.gamma[()] = 1
        self.beta[()] = 0

    def _check_input_dim(self, input):
        raise NotImplementedError

    def construct(self, input):
        self._check_input_dim(input)
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked = self.num_batches_tracked + 1
            momentum = 1 / int(self.num_batches_tracked) if momentum is None else momentum
        return torch_batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            momentum,
            self.eps,
        )

    running_mean = property(lambda self: self.moving_mean if self.track_running_stats else None)
    running_var = property(lambda self: self.moving_variance if self.track_running_stats else None)


TorchBatchNorm.__name__ = "_BatchNorm"  # code may ask for it
