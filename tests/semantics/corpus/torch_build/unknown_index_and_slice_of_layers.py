"""A slice of unknown length out of known layers, and the layer at an unknown index."""

# given: n in (0, 1, 2)
import torch.nn as nn

layers = [nn.Linear(2, 3), nn.Linear(3, 3), nn.Linear(3, 4)]
answer = nn.Sequential(*layers)
answer_cut = nn.Sequential(*layers[:n])
answer_picked = layers[n]
halves = layers[:n] + layers[n:]
answer_halves = nn.ModuleList(halves)
net = nn.Sequential(*layers)
net[n] = nn.Identity()
answer_replaced = net
answer_length = len(net)
