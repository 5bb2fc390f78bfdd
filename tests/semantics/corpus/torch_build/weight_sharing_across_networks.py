"""Two networks share a backbone; a third holds both; each is counted by itself."""

import torch.nn as nn


class Head(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.fc = nn.Linear(backbone[-1].out_features, classes)


backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
a, b = Head(backbone, 3), Head(backbone, 5)
answer = nn.ModuleDict({"a": a, "b": b, "again": a})
answer_a, answer_b = a, b
backbone.append(nn.Linear(2, 2))
answer_grown = b
a.backbone = nn.Identity()
answer_without = a
