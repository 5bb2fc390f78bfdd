"""A layer is taken away under an unknown condition; setting it again afterwards makes it known."""

# given: n in (0, 1)
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.aux = nn.Linear(4, 2)


first, second = Net(), Net()
if n:
    first.aux = None
    del second.aux
answer_first = first
second.aux = nn.Linear(1, 1)
answer_second = second
answer_body = first.body
answer_untouched = Net()
