import mindspore


class TorchInstanceNorm2d(mindspore.nn.Cell):
    """torch.nn.InstanceNorm2d: normalises every channel of every sample by itself."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        **unused,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        ones, zeros = mindspore.ops.ones(num_features), mindspore.ops.zeros(num_features)
        self.weight = mindspore.Parameter(ones) if affine else None
        self.bias = mindspore.Parameter(zeros) if affine else None
        self.running_mean = self.running_var = None
        if track_running_stats:
            self.running_mean = mindspore.Parameter(zeros, requires_grad=False)
            self.running_var = mindspore.Parameter(ones, requires_grad=False)
        self.set_train()

    gamma = property(lambda self: self.weight)
    beta = property(lambda self: self.bias)
    moving_mean = property(lambda self: self.running_mean)
    moving_variance = property(lambda self: self.running_var)
    num_channels = property(lambda self: self.num_features)

    def _check_input_dim(self, input):
        if input.ndim not in (3, 4):
            raise ValueError(f"expected 3D or 4D input (got {input.ndim}D input)")

    def construct(self, input):
        if input.ndim == 2 + 1:
            return mindspore.ops.squeeze(self.construct(input.expand_dims(0)), 0)
        axes = tuple(range(2, input.ndim))
        shape = (1, -1) + (1,) * len(axes)
        if self.track_running_stats and not self.training:
            mean, variance = self.running_mean.reshape(shape), self.running_var.reshape(shape)
        else:
            mean = mindspore.ops.mean(input, axes, True)
            variance = mindspore.ops.mean((input - mean) ** 2, axes, True)
        if self.track_running_stats and self.training:
            count = input.size // (input.shape[0] * input.shape[1])
            for kept, new in (
                (self.running_mean, mean),
                (self.running_var, variance * (count / (count - 1))),
            ):
                new = mindspore.ops.stop_gradient(mindspore.ops.mean(new, 0)).reshape(-1)
                mindspore.ops.assign(kept, (1 - self.momentum) * kept + self.momentum * new)
        output = (input - mean) / mindspore.ops.sqrt(variance + self.eps)
        if self.affine:
            output = output * self.weight.reshape(shape) + self.bias.reshape(shape)
        return output


TorchInstanceNorm2d.__name__ = "InstanceNorm2d"  # code may ask for it
