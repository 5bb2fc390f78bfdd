"""Plain attributes may be set before super().__init__(), layers may not."""

import torch.nn as nn


class Early(nn.Module):
    def __init__(self, width):
        self.width = width
        self.sizes = [width, width * 2]
        super().__init__()
        self.fc = nn.Linear(*self.sizes)


class Wrong(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(1, 1)
        super().__init__()


answer = Early(3)
answer_sizes = answer.sizes
try:
    Wrong()
except AttributeError:
    answer_wrong = "layers need super().__init__() first"
