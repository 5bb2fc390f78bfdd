import os

import numpy as np
import torch
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

from cycada.models import get_model
from cycada.tools import train_adda_net, train_task_net
from cycada.tools.test_task_net import test


def still(net):
    """The chances of its dropout are fixed in the code."""
    for module in net.modules():
        if hasattr(module, "p"):
            module.p = 0.0
    return net


def build():
    source = still(get_model("LeNet"))
    os.makedirs("weights", exist_ok=True)
    source.save("weights/lenet.pth")
    adda = still(get_model("AddaNet", model="LeNet", src_weights_init="weights/lenet.pth"))
    return source, adda, still(get_model("DTN"))


def init():
    torch.manual_seed(1)
    net = get_model("DTN", num_cls=50)
    return {"conv": net.conv_params[4].weight, "linear": net.classifier[2].weight}


def loader(seed, size, channels=1, width=28):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(size, channels, width, width).astype("float32"))
    labels = torch.from_numpy(rng.randint(0, 10, size).astype("int64"))
    return DataLoader(TensorDataset(images, labels), batch_size=4, shuffle=False)


def forward(source, adda, dtn):
    for net in (source, adda, dtn):
        net.eval()
    x_s, _ = next(iter(loader(0, 4)))
    x_t, _ = next(iter(loader(1, 4)))
    big, _ = next(iter(loader(2, 4, 3, 32)))
    adda.discrim_feat = False
    return {
        "source": source(x_s),
        "features": lambda: source(x_s, with_ft=True)[1],
        "adda": lambda: list(adda(x_s, x_t)),
        "dtn": lambda: dtn(big),
        "tested": lambda: torch.tensor(float(test(loader(3, 8), source))),
    }


def train(source, adda, dtn):
    scores = []
    for net, channels, width in ((source, 1, 28), (dtn, 3, 32)):
        opt_net = optim.Adam(net.parameters(), lr=1e-4, betas=(0.9, 0.999), weight_decay=1e-4)
        train_task_net.train_epoch(loader(4, 12, channels, width), net, opt_net, 0)
        net.eval()
        x, y = next(iter(loader(5, 4, channels, width)))
        scores.append(net.criterion(net(x), y).item())
    source.save("weights/lenet.pth")
    adda.load_src_net("weights/lenet.pth")
    opt_net = optim.Adam(adda.tgt_net.parameters(), lr=1e-4, betas=(0.9, 0.999), weight_decay=1e-4)
    opt_dis = optim.Adam(adda.discriminator.parameters(), lr=1e-4, betas=(0.9, 0.999))
    updates = [train_adda_net.train(loader(6, 12), loader(7, 12), adda, opt_net, opt_dis, epoch) for epoch in range(2)]
    adda.eval()
    x, y = next(iter(loader(8, 4)))
    scores.append(adda.gan_criterion(adda.discriminator(adda.tgt_net(x)), (y > 4).long()).item())
    return {
        "scores": scores,
        "updates": updates,
        "source": source.fc_params.weight,
        "target": adda.tgt_net.conv_params[0].weight,
        "discriminator": adda.discriminator[0].weight,
        "running_mean": dtn.conv_params[1].running_mean,
    }
