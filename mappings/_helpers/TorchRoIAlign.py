import mindspore


class TorchRoIAlign(mindspore.nn.Cell):
    """torchvision's RoIAlign."""

    def __init__(self, output_size, spatial_scale, sampling_ratio, aligned=False):
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale
        self.sampling_ratio = sampling_ratio
        self.aligned = aligned
        self.set_train()

    def construct(self, input, rois):
        return torch_roi_align(
            input, rois, self.output_size, self.spatial_scale, self.sampling_ratio, self.aligned
        )
