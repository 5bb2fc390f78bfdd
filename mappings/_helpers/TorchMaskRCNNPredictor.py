import collections

import mindspore


class TorchMaskRCNNPredictor(mindspore.nn.SequentialCell):
    """torchvision's MaskRCNNPredictor: a mask for each class of a region."""

    def __init__(self, in_channels, dim_reduced, num_classes):
        start = mindspore.common.initializer.HeNormal(mode="fan_out", nonlinearity="relu")
        layers = collections.OrderedDict()
        layers["conv5_mask"] = mindspore.nn.Conv2dTranspose(
            in_channels, dim_reduced, 2, 2, pad_mode="valid", has_bias=True, weight_init=start
        )
        layers["relu"] = mindspore.nn.ReLU()
        layers["mask_fcn_logits"] = mindspore.nn.Conv2d(
            dim_reduced, num_classes, 1, has_bias=True, weight_init=start
        )
        super().__init__(layers)
