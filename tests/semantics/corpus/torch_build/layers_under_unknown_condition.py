"""A layer that is there or not by an unknown flag: the whole is unknown, its parts are known."""

# given: n in (0, 1)
import torch.nn as nn

body = nn.Linear(3, 5)
layers = [body]
if n:
    layers.append(nn.Linear(5, 5))
layers.append(nn.ReLU())
answer = nn.Sequential(*layers)
answer_body = body
answer_features = layers[0].out_features
