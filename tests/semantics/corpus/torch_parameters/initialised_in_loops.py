"""Walking through modules() to initialise does not change the count, replacing layers on the way does."""

import torch.nn as nn


def replace_relu(module):
    for name, child in module.named_children():
        if isinstance(child, nn.ReLU):
            setattr(module, name, nn.PReLU())
        else:
            replace_relu(child)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Sequential(nn.Linear(4, 2), nn.ReLU())
        )
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                m.bias = None


answer = Net()
answer_replaced = Net()
replace_relu(answer_replaced)
answer_kinds = [type(m).__name__ for m in answer_replaced.modules()]
