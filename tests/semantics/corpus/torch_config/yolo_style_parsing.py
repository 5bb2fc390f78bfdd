"""A network parsed from rows of a table, with `from` indices, scaled repeats and channel bookkeeping."""

import torch.nn as nn

rows = [
    [-1, 1, "Conv2d", [8, 3]],
    [-1, 3, "Conv2d", [8, 3]],
    [-1, 1, "ReLU", []],
    [[-1, 0], 1, "Concat", [1]],
    [-1, 1, "Conv2d", [4, 1]],
]


class Concat(nn.Module):
    def __init__(self, dimension=1):
        super().__init__()
        self.dimension = dimension


def parse(rows, channels, depth=0.67):
    layers, ch = [], [channels]
    for i, (f, n, m, args) in enumerate(rows):
        m = getattr(nn, m) if hasattr(nn, m) else globals()[m]
        n = max(round(n * depth), 1) if n > 1 else n
        if m is nn.Conv2d:
            c1, c2 = ch[f], args[0]
            args = [c1, c2, *args[1:]]
        elif m is Concat:
            c2 = sum(ch[x if x < 0 else x + 1] for x in f)
        else:
            c2 = ch[f]
        layers.append(nn.Sequential(*[m(*args) for _ in range(n)]) if n > 1 else m(*args))
        if i == 0:
            ch = [channels]
        ch.append(c2)
    return nn.Sequential(*layers), ch


answer, answer_channels = parse(rows, 8)
answer_rows = rows[1]
