"""Layers set under computed names and found again by getattr."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self, widths):
        super().__init__()
        last = 3
        for i, width in enumerate(widths, start=1):
            setattr(self, f"layer{i}", nn.Conv2d(last, width, 3))
            self.add_module("bn%d" % i, nn.BatchNorm2d(width))
            last = width
        self.stages = [getattr(self, f"layer{i}") for i in range(1, len(widths) + 1)]
        setattr(self, "layer1", nn.Identity())


answer = Net([4, 8, 2])
answer_outputs = [stage.out_channels for stage in answer.stages]
answer_names = [name for name, _ in answer.named_children()]
