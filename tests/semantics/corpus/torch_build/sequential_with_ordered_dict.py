"""Sequential from an OrderedDict, from keywords of names, nested, sliced, inserted into and cut."""

from collections import OrderedDict

import torch.nn as nn

answer = nn.Sequential(
    OrderedDict([("conv1", nn.Conv2d(1, 4, 3)), ("relu", nn.ReLU()), ("conv2", nn.Conv2d(4, 2, 3))])
)
answer.add_module("fc", nn.Linear(2, 2))
answer_names = [name for name, _ in answer.named_children()]
answer_slice = answer[:2]
answer_named = answer.conv2
backbone = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 4))
head = nn.Sequential(*list(backbone.children())[:-1])
head.append(nn.Linear(3, 10))
answer_head = head
del backbone[0]
answer_backbone = backbone
