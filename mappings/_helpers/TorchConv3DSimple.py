import mindspore


class TorchConv3DSimple(mindspore.nn.Conv3d):
    """torchvision's Conv3DSimple: a convolution over space and time."""

    def __init__(self, in_planes, out_planes, midplanes=None, stride=1, padding=1):
        super().__init__(in_planes, out_planes, 3, stride, "pad", padding, has_bias=False)

    @staticmethod
    def get_downsample_stride(stride):
        return stride, stride, stride
