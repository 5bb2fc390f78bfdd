"""Attributes, functions and classes with names that are not ASCII."""

import torch.nn as nn

宽度 = 6


class 残差块(nn.Module):
    def __init__(self, 通道, α=0.1):
        super().__init__()
        self.卷积 = nn.Conv2d(通道, 通道, 3)
        self.层 = nn.ModuleList(nn.Linear(通道, 通道) for _ in range(2))
        self.α = α
        setattr(self, f"头{1}", nn.Linear(通道, 1))


def 建网络(数量):
    return nn.Sequential(*[残差块(宽度) for _ in range(数量)])


answer = 建网络(2)
answer_head = answer[0].头1
answer_names = [name for name, _ in answer[0].named_children()]
answer_alpha = answer[1].α
