"""setattr on a network with an unknown name adds a layer or replaces one."""

# given: name in ("fc", "extra")
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)


net, other = Net(), Net()
setattr(net, name, nn.Linear(4, 1))
answer = net
answer_fc = net.fc
answer_other = other
net.fc = nn.Linear(2, 2)
answer_fc_again = net.fc
answer_added = getattr(net, name) if name == "extra" else nn.Linear(4, 1)
