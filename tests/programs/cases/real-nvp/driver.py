import numpy as np
import torch
import torch.optim as optim
import torch.utils.data as data

import train as program
import util
from models import RealNVP, RealNVPLoss
from models.resnet import ResNet
from util import squeeze_2x2


def build():
    return (
        RealNVP(num_scales=2, in_channels=3, mid_channels=8, num_blocks=1),
        ResNet(3, 8, 6, num_blocks=2, kernel_size=3, padding=1, double_after_norm=True),
    )


def images(seed, count=4):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, 3, 8, 8).astype("float32"))


def forward(net, resnet):
    net.eval()
    resnet.eval()
    z, sldj = net(images(0))
    return {
        "z": z,
        "sldj": sldj,
        "loss": lambda: RealNVPLoss()(*net(images(1))),
        "sampled": lambda: torch.sigmoid(net(images(2) * 4 - 2, reverse=True)[0]),
        "resnet": lambda: resnet(images(3)),
        "squeezed": lambda: squeeze_2x2(images(4), alt_order=True),
        "unsqueezed": lambda: squeeze_2x2(squeeze_2x2(images(5)), reverse=True),
    }


def train(net, resnet):
    loader = data.DataLoader(data.TensorDataset(images(6), torch.zeros(4)), batch_size=4, shuffle=False)
    loss_fn = RealNVPLoss()
    optimizer = optim.Adam(util.get_param_groups(net, 5e-5, norm_suffix="weight_g"), lr=1e-3)
    program.best_loss = 1e9
    losses = []
    for epoch in range(3):
        program.train(epoch, net, loader, "cpu", optimizer, loss_fn, 100.0)
        with torch.no_grad():
            losses.append(loss_fn(*net(images(6))).item())
    net.eval()
    with torch.no_grad():
        losses.append(loss_fn(*net(images(7))).item())
    return {
        "losses": losses,
        "weight_v": net.flows.in_couplings[0].st_net.in_conv.conv.weight_v,
        "weight_g": net.flows.in_couplings[0].st_net.in_conv.conv.weight_g,
        "rescale": net.flows.in_couplings[1].rescale.weight_g,
        "running_mean": net.flows.in_couplings[0].st_net.in_norm.running_mean,
    }
