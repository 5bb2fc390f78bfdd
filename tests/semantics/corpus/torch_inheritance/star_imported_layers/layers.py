from torch import nn

__all__ = ["Linear", "Block"]


class Linear(nn.Linear):
    scale = 2

    def __init__(self, a, b):
        super().__init__(a, b * self.scale, bias=False)


class ReLU(nn.PReLU):
    pass


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = Linear(width, width)
        self.act = ReLU()
