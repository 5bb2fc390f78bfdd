from torch import nn

from . import registry


@registry.register
class MLP(nn.Module):
    def __init__(self, width=8, *, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
