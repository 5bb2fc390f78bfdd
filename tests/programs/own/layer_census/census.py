"""Looks layers up by their classes and their names, as tools for pruning, freezing and initialising do."""

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.pooling import _AvgPoolNd, _MaxPoolNd

KINDS = {"conv": nn.Conv2d, "linear": nn.Linear, "act": nn.LeakyReLU, "instance": nn.InstanceNorm2d}
PRUNED = {"Linear": 0.5, "Conv2d": 0.25, "ConvTranspose2d": 0.1}


def count(net, kind):
    return sum(isinstance(m, kind) for m in net.modules())


def census(net):
    counts = {name: count(net, kind) for name, kind in KINDS.items()}
    counts["norms"] = count(net, (_BatchNorm, nn.GroupNorm))
    counts["pools"] = sum(isinstance(m, (_MaxPoolNd, _AvgPoolNd)) for m in net.modules())
    return counts


def names(net):
    seen = {}
    for m in net.modules():
        name = type(m).__name__
        seen[name] = seen.get(name, 0) + 1
    return seen


def shrink(net):
    for m in net.modules():
        share = PRUNED.get(m.__class__.__name__)
        if share is not None:
            m.weight.data.mul_(1 - share)


def start(m):
    name = m.__class__.__name__
    if name == "LeakyReLU":
        m.started = True
    elif name.find("GroupNorm") != -1 or name.find("InstanceNorm") != -1:
        m.weight.data.fill_(0.75)
    elif name.startswith("BatchNorm"):
        m.weight.data.fill_(1.5)


def freeze(net, kind=nn.Conv2d):
    for m in net.modules():
        if isinstance(m, kind):
            for p in m.parameters():
                p.requires_grad = False
            return


def rebuilt(m):
    """A convolution like another one, which may have no bias."""
    return nn.Conv2d(m.in_channels, m.out_channels, m.kernel_size, m.stride, m.padding, bias=m.bias)
