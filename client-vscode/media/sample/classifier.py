import torch
import torch.nn as nn


class Head(nn.Module):  # 分类头 🚀
    def __init__(self, width: int, classes: int):
        super().__init__()
        self.norm = nn.BatchNorm1d(width, momentum=0.1)
        self.fc = nn.Linear(width, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        spread = torch.std(x, dim=1)  # 标准差
        both = torch.cat([x, spread.unsqueeze(1)], dim=1)
        return self.fc(self.norm(both)).softmax(-1)


def stored(x: torch.Tensor) -> int:
    return x.untyped_storage().nbytes()
