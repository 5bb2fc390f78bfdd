"""__init__ may return early; what it has made before that is made either way."""

# given: n in (0, 1)
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, headless):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = None
        if headless:
            return
        self.head = nn.Linear(4, 2)


net = Net(n)
answer = net
answer_body = net.body
answer_has_head = net.head is not None
answer_known = Net(True)
answer_full = Net(False)
