"""An inception block with branches, a comprehension over tuples, and the sum of their widths."""

import torch.nn as nn


class BasicConv(nn.Module):
    def __init__(self, i, o, **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(i, o, bias=False, **kwargs)
        self.bn = nn.BatchNorm2d(o, eps=0.001)


class Inception(nn.Module):
    def __init__(self, i, branches, conv_block=None):
        super().__init__()
        conv_block = conv_block or BasicConv
        self.branches = nn.ModuleList(
            [conv_block(i, o, kernel_size=k, padding=k // 2) for o, k in branches if o > 0]
        )
        self.out_channels = sum(o for o, _ in branches)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        width, self.blocks = 3, nn.ModuleDict()
        for name, branches in {"a": [(2, 1), (4, 3)], "b": [(2, 1), (0, 3), (2, 5)]}.items():
            self.blocks[f"inception_{name}"] = block = Inception(width, branches)
            width = block.out_channels
        self.fc = nn.Linear(width, 2)


answer = Net()
answer_widths = [block.out_channels for block in answer.blocks.values()]
answer_names = list(answer.blocks)
