import mindspore


class TorchKeypointRCNNPredictor(mindspore.nn.Cell):
    """torchvision's KeypointRCNNPredictor: a map for each point of a region, four times as large."""

    def __init__(self, in_channels, num_keypoints):
        super().__init__()
        self.kps_score_lowres = mindspore.nn.Conv2dTranspose(
            in_channels,
            num_keypoints,
            4,
            2,
            pad_mode="pad",
            padding=1,
            has_bias=True,
            weight_init=mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu"),
            bias_init="zeros",
        )
        self.up_scale = 2
        self.out_channels = num_keypoints

    def construct(self, x):
        x = self.kps_score_lowres(x)
        size = (x.shape[2] * self.up_scale, x.shape[3] * self.up_scale)
        return mindspore.ops.interpolate(x, size=size, mode="bilinear", align_corners=False)
