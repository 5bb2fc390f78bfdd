"""Layers are made until the width has come down; the head uses the last width."""

import torch.nn as nn


class Shrinking(nn.Module):
    def __init__(self, width=40, smallest=5):
        super().__init__()
        self.stages = nn.ModuleList()
        while width // 2 >= smallest:
            self.stages.append(nn.Linear(width, width := width // 2))
        else:
            self.head = nn.Linear(width, 1)
        self.width = width


answer = Shrinking()
answer_stages = len(answer.stages)
answer_width = answer.width
answer_other = Shrinking(8, smallest=100)
