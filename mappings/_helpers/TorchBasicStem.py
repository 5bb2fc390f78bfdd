import mindspore


class TorchBasicStem(mindspore.nn.SequentialCell):
    """torchvision's BasicStem: how a network for video begins."""

    def __init__(self):
        super().__init__(
            mindspore.nn.Conv3d(3, 64, (3, 7, 7), (1, 2, 2), "pad", (1, 1, 3, 3, 3, 3), has_bias=False),
            mindspore.nn.BatchNorm3d(64),
            mindspore.nn.ReLU(),
        )
        self.set_train()
