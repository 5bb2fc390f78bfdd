import mindspore


class TorchFlowHead(mindspore.nn.Cell):
    """torchvision's FlowHead of RAFT: how far every place moves."""

    def __init__(self, *, in_channels, hidden_size):
        super().__init__()
        same = {"pad_mode": "pad", "padding": 1, "has_bias": True}
        self.conv1 = mindspore.nn.Conv2d(in_channels, hidden_size, 3, **same)
        self.conv2 = mindspore.nn.Conv2d(hidden_size, 2, 3, **same)

    def construct(self, x):
        return self.conv2(mindspore.ops.relu(self.conv1(x)))
