"""Whether two names hold one layer is unknown, so the sum of parameters is unknown; each one's is known."""

# given: shared in (False, True)
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, shared):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = self.a if shared else nn.Linear(4, 4)
        self.c = nn.Linear(4, 1)


net = Net(shared)
answer = net
answer_a = net.a
answer_b = net.b
answer_c = net.c
