"""Norms that learn nothing have no parameters: not where they are counted, written, frozen or saved."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, affine=False):
        super().__init__()
        self.instance1 = nn.InstanceNorm1d(4)
        self.instance2 = nn.InstanceNorm2d(4)
        self.instance3 = nn.InstanceNorm3d(4)
        self.tracking = nn.InstanceNorm2d(4, track_running_stats=True)
        self.unknown_instance = nn.InstanceNorm2d(4, affine=affine)
        self.batch1 = nn.BatchNorm1d(4, affine=False)
        self.batch2 = nn.BatchNorm2d(4, affine=False)
        self.batch3 = nn.BatchNorm3d(4, affine=False)
        self.unknown_batch = nn.BatchNorm2d(4, affine=affine)
        self.group = nn.GroupNorm(2, 4, affine=False)
        self.unknown_group = nn.GroupNorm(2, 4, affine=affine)
        self.layer = nn.LayerNorm(4, elementwise_affine=False)
        self.without_bias = nn.LayerNorm(4, bias=False)
        self.learning = nn.BatchNorm2d(4)

    def forward(self, x):
        x = self.batch2(self.instance2(x)) + self.unknown_instance(x) + self.unknown_batch(x)
        x = self.group(x) + self.unknown_group(x) + self.layer(x) + self.without_bias(x)
        return self.learning(self.tracking(x))


def main():
    net = Net()
    for name, module in net.named_children():
        print(name, len(list(module.parameters())))
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.5)  # what has no weights stays as it is
    x = torch.linspace(-1, 1, 128).view(2, 4, 4, 4) ** 3
    print(round(net(x).abs().sum().item(), 3))
    net.requires_grad_(False)
    net.requires_grad_(True)
    print(len([p for p in net.parameters() if p.requires_grad]))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        loss = (net(x) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    net.eval()
    print(round(net(x).abs().sum().item(), 2))
    other = Net()
    other.load_state_dict(net.state_dict())
    other.eval()
    print(round(other(x).abs().sum().item(), 2))


if __name__ == "__main__":
    main()
