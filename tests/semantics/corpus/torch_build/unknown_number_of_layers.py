"""How many layers there are is unknown, how wide the last one is is known."""

# given: n in (1, 2, 4)
import torch.nn as nn

layers = [nn.Linear(4, 4) for _ in range(n)]
stem = nn.Linear(2, 4)
head = nn.Linear(4, 1)
answer = nn.Sequential(stem, *layers, head)
answer_stem = stem
answer_width = layers[-1].out_features
answer_head = nn.Sequential(head, nn.ReLU())
