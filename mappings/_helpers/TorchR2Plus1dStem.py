import mindspore


class TorchR2Plus1dStem(mindspore.nn.SequentialCell):
    """torchvision's R2Plus1dStem: how a network for video begins that treats space and time apart."""

    def __init__(self):
        super().__init__(
            mindspore.nn.Conv3d(3, 45, (1, 7, 7), (1, 2, 2), "pad", (0, 0, 3, 3, 3, 3), has_bias=False),
            mindspore.nn.BatchNorm3d(45),
            mindspore.nn.ReLU(),
            mindspore.nn.Conv3d(45, 64, (3, 1, 1), 1, "pad", (1, 1, 0, 0, 0, 0), has_bias=False),
            mindspore.nn.BatchNorm3d(64),
            mindspore.nn.ReLU(),
        )
        self.set_train()
