"""An optimizer of tensors that are no parameters, beside one of a network."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class FactorizedReduce(nn.Module):
    def __init__(self, C_in, C_out):
        super().__init__()
        self.relu = nn.ReLU(inplace=False)
        self.conv_1 = nn.Conv2d(C_in, C_out // 2, 1, stride=2, padding=0, bias=False)
        self.conv_2 = nn.Conv2d(C_in, C_out // 2, 1, stride=2, padding=0, bias=False)
        self.bn = nn.BatchNorm2d(C_out, affine=False)

    def forward(self, x):
        x = self.relu(x)
        out = torch.cat([self.conv_1(x), self.conv_2(x[:, :, 1:, 1:])], dim=1)
        return self.bn(out)


class Zero(nn.Module):
    def __init__(self, stride):
        super().__init__()
        self.stride = stride

    def forward(self, x):
        if self.stride == 1:
            return x.mul(0.)
        return x[:, :, ::self.stride, ::self.stride].mul(0.)


def main():
    for which in ("zero", "reduce", "both"):
        alpha = (1e-3 * torch.ones(4, 3)).requires_grad_()
        net = FactorizedReduce(4, 4)
        zero = Zero(2)
        with torch.no_grad():
            for p in net.parameters():
                p.fill_(0.3)
        opt = torch.optim.Adam([alpha], lr=0.1)
        sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 2 * 4 * 64).view(2, 4, 8, 8)
        for i in range(2):
            opt.zero_grad()
            w = F.softmax(alpha, dim=-1)
            parts = {"zero": [zero], "reduce": [net], "both": [zero, net]}[which]
            out = sum(v * op(x) for v, op in zip(w[1], parts))
            loss = (out + net(x)).pow(2).mean() + (alpha[0] * 2).sum()
            loss.backward()
            opt.step()
            sgd.zero_grad()
            loss = net(x).pow(2).mean()
            loss.backward()
            sgd.step()
            print(which, round(loss.item(), 4), round(float(alpha.detach().abs().sum()), 5))


if __name__ == "__main__":
    main()
