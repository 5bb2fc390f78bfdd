"""ModuleList and ModuleDict register what they hold; plain lists and dicts do not."""

import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = [nn.Linear(100, 100)]
        self.table = {"a": nn.Linear(100, 100)}
        self.layers = nn.ModuleList([nn.Linear(2, 3)])
        self.layers.append(nn.Linear(3, 4))
        self.layers.extend(nn.Linear(4, 4) for _ in range(2))
        self.heads = nn.ModuleDict({"cls": nn.Linear(4, 2)})
        self.heads["box"] = nn.Linear(4, 4, bias=False)


answer = Net()
answer_names = list(answer.heads.keys())
answer_length = len(answer.layers)
