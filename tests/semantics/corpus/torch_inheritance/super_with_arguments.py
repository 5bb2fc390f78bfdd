"""Networks inherit from networks: the base builds, the child replaces, adds and reads."""

import torch.nn as nn


class Base(nn.Module):
    hidden = 8

    def __init__(self, inputs, outputs=2, **kwargs):
        super().__init__()
        self.fc1 = nn.Linear(inputs, self.hidden)
        self.fc2 = nn.Linear(self.hidden, outputs, **kwargs)


class Wide(Base):
    hidden = 16

    def __init__(self, *args, extra=3, **kwargs):
        super().__init__(*args, **kwargs)
        self.fc2 = nn.Sequential(self.fc2, nn.Linear(self.fc2.out_features, extra))


class Plain(Base):
    pass


answer = Base(4)
answer_wide = Wide(4, outputs=5, bias=False)
answer_plain = Plain(1, 1)
answer_hidden = answer_wide.fc1.out_features
