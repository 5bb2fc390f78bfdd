"""A width is unknown; parts that do not use it, or use it alike, are known."""

# given: width in (2, 4, 8)
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width, classes=3):
        super().__init__()
        self.inner = nn.Linear(5, width)
        self.fixed = nn.Linear(5, classes)
        self.shape = [width, classes]
        self.norm = nn.BatchNorm1d(width, affine=False)


net = Net(width)
answer = net
answer_fixed = net.fixed
answer_norm = net.norm
answer_shape = net.shape
answer_classes = net.shape[1]
net.inner = nn.Linear(5, 5)
answer_replaced = net
answer_unknown = Net(width)
