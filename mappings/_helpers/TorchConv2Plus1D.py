import mindspore


class TorchConv2Plus1D(mindspore.nn.SequentialCell):
    """torchvision's Conv2Plus1D: a convolution over space, then one over time."""

    def __init__(self, in_planes, out_planes, midplanes, stride=1, padding=1):
        space = {"pad_mode": "pad", "padding": (0, 0, padding, padding, padding, padding)}
        time = {"pad_mode": "pad", "padding": (padding, padding, 0, 0, 0, 0)}
        super().__init__(
            mindspore.nn.Conv3d(
                in_planes, midplanes, (1, 3, 3), (1, stride, stride), has_bias=False, **space
            ),
            mindspore.nn.BatchNorm3d(midplanes),
            mindspore.nn.ReLU(),
            mindspore.nn.Conv3d(midplanes, out_planes, (3, 1, 1), (stride, 1, 1), has_bias=False, **time),
        )
        self.set_train()

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride
