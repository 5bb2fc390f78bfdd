import mindspore


class TorchTemporalSeparableConv(mindspore.nn.SequentialCell):
    """torchvision's TemporalSeparableConv: a convolution over space, then one over time, each with norm and relu."""

    def __init__(self, in_planes, out_planes, kernel_size, stride, padding, norm_layer):
        space = {"pad_mode": "pad", "padding": (0, 0, padding, padding, padding, padding)}
        time = {"pad_mode": "pad", "padding": (padding, padding, 0, 0, 0, 0)}
        kernels = ((1, kernel_size, kernel_size), (kernel_size, 1, 1))
        strides = ((1, stride, stride), (stride, 1, 1))
        super().__init__(
            mindspore.nn.SequentialCell(
                mindspore.nn.Conv3d(in_planes, out_planes, kernels[0], strides[0], has_bias=False, **space),
                norm_layer(out_planes),
                mindspore.nn.ReLU(),
            ),
            mindspore.nn.SequentialCell(
                mindspore.nn.Conv3d(out_planes, out_planes, kernels[1], strides[1], has_bias=False, **time),
                norm_layer(out_planes),
                mindspore.nn.ReLU(),
            ),
        )
        self.set_train()
