"""A child sets an inherited layer to None, to Identity, deletes one and takes one from another network."""

import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(4, 1000)
        self.aux = nn.Linear(4, 4)


class Features(Backbone):
    def __init__(self, other):
        super().__init__()
        self.fc = nn.Identity()
        self.aux = None
        self.borrowed = other.fc
        del self.pool


backbone = Backbone()
answer = Features(backbone)
answer_backbone = backbone
answer_names = [name for name, _ in answer.named_children()]
answer_aux = answer.aux
backbone.fc = nn.Linear(backbone.fc.in_features, 2)
answer_changed = backbone
answer_still = answer.borrowed.out_features
