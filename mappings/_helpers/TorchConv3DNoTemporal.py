import mindspore


class TorchConv3DNoTemporal(mindspore.nn.Conv3d):
    """torchvision's Conv3DNoTemporal: a convolution over the space of every frame."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        sides = (0, 0, padding, padding, padding, padding)
        strides = (1, stride, stride)
        super().__init__(in_planes, out_planes, (1, 3, 3), strides, "pad", sides, has_bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return 1, stride, stride
