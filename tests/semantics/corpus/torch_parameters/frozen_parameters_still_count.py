"""requires_grad_(False) freezes parameters, which stay parameters; eval() and no_grad change nothing."""

import torch
import torch.nn as nn

answer = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
answer[0].requires_grad_(False)
for parameter in answer[1].parameters():
    parameter.requires_grad = False
answer.eval()
with torch.no_grad():
    layer = nn.Linear(3, 3)
answer_layer = layer.train()
answer_trainable = sum(p.numel() for p in answer.parameters() if p.requires_grad)
answer_total = sum(p.numel() for p in answer.parameters())
answer_chained = nn.Linear(2, 2).float().eval().requires_grad_(True)
