import torch
import torch.nn as nn


class MainModel(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.conv = nn.Conv1d(n, n, 1, bias=False)
        self.fc = nn.Linear(n, 2)

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(-1)).squeeze(-1))
