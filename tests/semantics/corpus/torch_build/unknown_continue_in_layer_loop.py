"""One stage is left out in an unknown round, but the widths go on as they would."""

# given: skip in (0, 1, 9)
import torch.nn as nn

stages, width = nn.ModuleList(), 3
for i, size in enumerate([4, 4, 4]):
    previous, width = width, size
    if i == skip:
        continue
    stages.append(nn.Linear(previous, size))
head = nn.Linear(width, 2)
answer = stages
answer_head = head
answer_width = width
answer_count = len(stages)
answer_last = stages[-1].out_features
