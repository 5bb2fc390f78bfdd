"""A break under an unknown condition ends the list of layers somewhere."""

# given: n in (1, 3, 10)
import torch.nn as nn

layers, width = [], 2
for i in range(4):
    layers.append(nn.Linear(width, width))
    if i == n:
        break
else:
    layers.append(nn.ReLU())
answer = nn.Sequential(*layers)
answer_first = layers[0]
answer_width = width
answer_last_or_not = type(layers[-1]).__name__
