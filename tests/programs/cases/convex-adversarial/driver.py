import math
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

from convex_adversarial import Dense, DenseSequential, DualNetwork, RobustBounds, epsilon_from_model, robust_loss
from convex_adversarial.dual_layers import batch, unbatch
from examples import attacks, problems, trainer

CLASSES = 4


def small():
    """problems.mnist_model in small."""
    return nn.Sequential(
        nn.Conv2d(1, 3, 4, stride=2, padding=1), nn.ReLU(), nn.Conv2d(3, 4, 4, stride=2, padding=1), nn.ReLU(),
        problems.Flatten(), nn.Linear(4 * 2 * 2, 7), nn.ReLU(), nn.Linear(7, CLASSES),
    )  # fmt: skip


def flat():
    """problems.har_500_250_model in small."""
    return nn.Sequential(nn.Linear(9, 8), nn.ReLU(), nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, CLASSES))


def dense():
    """A network with connections past layers, as problems.har_resnet_model."""
    net = DenseSequential(
        Dense(nn.Linear(9, 9)), nn.ReLU(), Dense(nn.Sequential(), None, nn.Linear(9, 9)), nn.ReLU(), nn.Linear(9, CLASSES)
    )
    for m in net.modules():
        if isinstance(m, nn.Linear):
            m.weight.data.normal_(0, math.sqrt(1.0 / m.in_features))
            m.bias.data.zero_()
    return net


def build():
    return small(), flat(), dense()


def init():
    torch.manual_seed(1)
    net = problems.cifar_model()
    return {
        "conv": net[2].weight,
        "linear": problems.mnist_500()[1].weight,
        "deep": problems.mnist_model_deep(2)[2].weight,
        "resnet": problems.cifar_model_resnet(N=1, factor=1)[4].Ws[2].weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def labels(seed, rows):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, CLASSES, rows))


def bounds(net, x, epsilon, **settings):
    """The bounds of all the layers, and the last objective."""
    dual = DualNetwork(net, x, epsilon, **settings)
    c = torch.eye(CLASSES).unsqueeze(0).expand(x.size(0), CLASSES, CLASSES)
    lower, upper = zip(*[layer.bounds() for layer in dual.dual_net])
    return [sum(lower), sum(upper), dual(c)]


def forward(net, one, skips):
    for each in (net, one, skips):
        each.eval()
    x, images = array(0, 3, 9), array(1, 2, 1, 8, 8)
    median = {"proj": 3, "norm_type": "l1_median"}
    return {
        "plain": lambda: net(images),
        "skips": lambda: skips(x),
        "l1": lambda: bounds(one, x, 0.1),
        "bounded": lambda: bounds(one, x, 0.1, bounded_input=True),
        "ranges": lambda: bounds(one, x, 0.1, bounded_input=True, input_l=torch.zeros(9), input_u=0.9 * torch.ones(9)),
        "l2": lambda: bounds(one, x, 0.2, norm_type="l2"),
        "each": lambda: bounds(one, x, torch.tensor([0.05, 0.1, 0.2])),
        "images": lambda: bounds(net, images, 0.05),
        "image_bounds": lambda: bounds(net, images, 0.05, bounded_input=True),
        "median": lambda: bounds(net, images, 0.05, **median),
        "median_bounded": lambda: bounds(net, images, 0.05, bounded_input=True, **median),
        "normal": lambda: bounds(net, images, 0.05, proj=3, norm_type="l2_normal"),
        "robust": lambda: RobustBounds(skips, 0.05)(x, labels(2, 3)),
        "loss": lambda: list(robust_loss(net, 0.05, images, labels(3, 2), size_average=False)),
        "batched": lambda: unbatch(batch(array(4, 6, 2, 3), 3) + 1.0),
        "epsilon": lambda: epsilon_from_model(problems.mnist_500(), array(5, 1, 28, 28), 400, 0.05, 1),
    }


def loader(seed, *shape):
    return [(array(seed + step, 3, *shape), labels(seed + step, 3)) for step in range(2)]


def train(net, one, skips):
    results, quiet = {}, 0
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        try:
            with open("train.log", "w") as log:
                for name, each, shape, settings in (
                    ("images", net, (1, 8, 8), {"norm_type": "l1", "bounded_input": True}),
                    ("one", one, (9,), {"norm_type": "l2"}),
                    ("skips", skips, (9,), {"norm_type": "l1"}),
                    ("median", net, (1, 8, 8), {"norm_type": "l1_median", "proj": 3}),
                ):
                    opt = optim.Adam(each.parameters(), lr=1e-3) if name != "one" else optim.SGD(
                        each.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4
                    )
                    lr_scheduler = optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)
                    for t, epsilon in enumerate(np.linspace(0.01, 0.05, 2)):
                        clip = 1.0 if name == "skips" else None
                        trainer.train_robust(loader(10 + t, *shape), each, opt, float(epsilon), t, log, quiet, False, clip, **settings)
                        lr_scheduler.step()
                    results[name + "_robust"] = trainer.evaluate_robust(loader(20, *shape), each, 0.05, 0, log, quiet, **settings)
                opt = optim.Adam(one.parameters(), lr=1e-3)
                trainer.train_baseline(loader(30, 9), one, opt, 0, log, quiet)
                trainer.train_madry(loader(32, 9), one, 0.1, opt, 0, log, quiet)
                results["madry"] = trainer.evaluate_madry(loader(34, 9), one, 0.1, 0, log, quiet)
                results["baseline"] = trainer.evaluate_baseline(loader(34, 9), one, 0, log, quiet)
                cascade = [skips, one]
                results["cascade"] = trainer.evaluate_robust_cascade(loader(36, 9), cascade, 0.02, 0, log, quiet)
            with open("train.log") as log:
                results["log"] = [[float(word) for word in line.split()[2:] if "(" not in word] for line in log][:8]
            results["attack"] = [float(part) for part in attacks.fgs(loader(40, 9), skips, 0.1)[1]]
        finally:
            os.chdir(folder)
    return {
        **results,
        "conv": net[0].weight,
        "linear": net[7].weight,
        "one": one[2].weight,
        "dense": skips[2].Ws[2].weight,
        "last": skips[4].bias,
    }
