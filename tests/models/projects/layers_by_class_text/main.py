"""Layers that are told by the text of their class, as face recognition does to leave norms without weight decay."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.PReLU(4), nn.LeakyReLU(0.1), nn.MaxPool2d(2), nn.Dropout(0.0)
        )
        self.others = nn.ModuleList([nn.GroupNorm(2, 4), nn.InstanceNorm2d(4), nn.Identity(), nn.ConvTranspose2d(4, 4, 2)])
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(64, 6), nn.LayerNorm(6), nn.Hardswish(), nn.Linear(6, 2))

    def forward(self, x):
        x = self.features(x)
        for layer in self.others:
            x = layer(x)
        return self.head(x)


def separate_bn_paras(modules):
    if not isinstance(modules, list):
        modules = [*modules.modules()]
    paras_only_bn, paras_wo_bn = [], []
    for layer in modules:
        if "main" in str(layer.__class__):
            continue
        if "container" in str(layer.__class__):
            continue
        else:
            if "batchnorm" in str(layer.__class__):
                paras_only_bn.extend([*layer.parameters()])
            else:
                paras_wo_bn.extend([*layer.parameters()])
    return paras_only_bn, paras_wo_bn


def main():
    net = Net()
    for module in net.modules():
        kind = str(type(module))
        print(kind.split("'")[1])
    norms, others = separate_bn_paras(net)
    print(len(norms), len(others))
    x = torch.linspace(-1, 1, 192).view(1, 3, 8, 8)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 1, p.numel()).view(p.shape))
    optimizer = torch.optim.SGD([{"params": others, "weight_decay": 0.5}, {"params": norms}], lr=0.01)
    for _ in range(3):
        loss = (net(x) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 3))


if __name__ == "__main__":
    main()
