"""An activation by an unknown name, one of which has parameters."""

# given: act in ("relu", "leaky", "prelu")
import torch.nn as nn


def activation(name):
    if name == "relu":
        return nn.ReLU(inplace=True)
    elif name == "leaky":
        return nn.LeakyReLU(0.1)
    elif name == "prelu":
        return nn.PReLU()
    raise NotImplementedError(name)


class Block(nn.Module):
    def __init__(self, width, act):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3)
        self.act = activation(act)


block = Block(4, act)
answer = block
answer_conv = block.conv
try:
    answer_wrong = Block(2, "swish")
except NotImplementedError as error:
    answer_wrong = str(error)
answer_known = Block(2, "prelu")
