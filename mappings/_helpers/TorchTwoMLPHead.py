import mindspore


class TorchTwoMLPHead(mindspore.nn.Cell):
    """torchvision's TwoMLPHead: two linear layers over the features of regions."""

    def __init__(self, in_channels, representation_size):
        super().__init__()
        self.fc6 = mindspore.nn.Dense(in_channels, representation_size)
        self.fc7 = mindspore.nn.Dense(representation_size, representation_size)

    def construct(self, x):
        x = x.reshape(x.shape[0], -1)
        x = mindspore.ops.relu(self.fc6(x))
        return mindspore.ops.relu(self.fc7(x))
