import mindspore


class TorchRoIPool(mindspore.nn.Cell):
    """torchvision's RoIPool."""

    def __init__(self, output_size, spatial_scale):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.set_train()

    def construct(self, input, rois):
        return torch_roi_pool(input, rois, self.output_size, self.spatial_scale)
