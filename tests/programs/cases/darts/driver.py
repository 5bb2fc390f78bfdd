import os
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.utils.data

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cnn"))

import genotypes  # noqa: E402
import train as evaluation  # noqa: E402
import train_search  # noqa: E402
import utils  # noqa: E402
from architect import Architect  # noqa: E402
from model import NetworkCIFAR, NetworkImageNet  # noqa: E402
from model_search import Network  # noqa: E402
from operations import OPS  # noqa: E402

args = train_search.args
CLASSES = 6
criterion = nn.CrossEntropyLoss()


def evaluated():
    net = NetworkCIFAR(4, CLASSES, 3, True, genotypes.DARTS)
    net.drop_path_prob = 0.0
    return net


def build():
    imagenet = NetworkImageNet(4, CLASSES, 3, False, genotypes.AmoebaNet)
    imagenet.drop_path_prob = 0.0
    return Network(2, CLASSES, 3, criterion), evaluated(), imagenet


def init():
    torch.manual_seed(1)
    net = Network(16, CLASSES, 3, criterion)
    return {"stem": net.stem[0].weight, "alphas": net.alphas_normal, "classifier": net.classifier.weight}


def fixed(net):
    """The architecture starts from numbers that are made up here: its weights are no parameters of the net."""
    for index, alphas in enumerate(net.arch_parameters()):
        numbers = np.random.RandomState(index).randn(*alphas.size()).astype("float32")
        alphas.data.copy_(torch.from_numpy(1e-1 * numbers))
    return net


def images(seed, count, size=8):
    rng = np.random.RandomState(seed)
    return (
        torch.from_numpy(rng.randn(count, 3, size, size).astype("float32")),
        torch.from_numpy(rng.randint(0, CLASSES, count)),
    )


def searched(net):
    genotype = fixed(net).genotype()
    return np.array(
        [[genotypes.PRIMITIVES.index(name), edge] for name, edge in genotype.normal + genotype.reduce]
        + [[min(genotype.normal_concat), max(genotype.reduce_concat)]]
    )


def all_operations():
    x = images(5, 2)[0]
    outputs = []
    for name in ("none", "avg_pool_3x3", "max_pool_3x3", "skip_connect"):
        for stride in (1, 2):
            if name == "skip_connect" and stride == 2:
                continue
            outputs.append(OPS[name](3, stride, False)(x).reshape(-1))
    return torch.cat(outputs)


def precisions():
    logits, target = (
        torch.from_numpy(np.random.RandomState(6).randn(4, CLASSES).astype("float32")),
        images(6, 4)[1],
    )
    return torch.cat([one.reshape(1) for one in utils.accuracy(logits, target, topk=(1, 5))])


def cut():
    np.random.seed(3)
    return utils.Cutout(4)(images(7, 1)[0][0])


def forward(net, cifar, imagenet):
    for one in (net, cifar, imagenet):
        one.eval()
    fixed(net)
    return {
        "search": net(images(0, 2)[0]),
        "genotype": lambda: searched(net),
        "cifar": lambda: cifar(images(1, 2, 32)[0])[0],
        "imagenet": lambda: imagenet(images(2, 1, 224)[0])[0],
        "operations": lambda: all_operations(),
        "precisions": lambda: precisions(),
        "cut": lambda: cut(),
        "size": lambda: np.array(utils.count_parameters_in_MB(net)),
    }


def queue(seed, count, size=8):
    dataset = torch.utils.data.TensorDataset(*images(seed, count, size))
    return torch.utils.data.DataLoader(dataset, batch_size=4, pin_memory=False, num_workers=0)


def search(net, unrolled):
    args.unrolled = unrolled
    fixed(net)
    optimizer = torch.optim.SGD(
        net.parameters(), args.learning_rate, momentum=args.momentum, weight_decay=args.weight_decay
    )
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, float(args.epochs), eta_min=args.learning_rate_min
    )
    architect = Architect(net, args)
    results = []
    for epoch in range(2):
        lr = scheduler.get_lr()[0]
        results.append(
            train_search.train(queue(10, 4), queue(20, 4), net, architect, criterion, optimizer, lr)
        )
        results.append(train_search.infer(queue(20, 4), net, criterion))
        scheduler.step()
    return np.array(results)


def train(net, cifar, _):
    first = search(net, False)
    alphas = net.alphas_normal.detach().clone()
    second = search(net, True)
    optimizer = torch.optim.SGD(cifar.parameters(), 0.025, momentum=0.9, weight_decay=3e-4)
    evaluation.args.auxiliary = True
    results = [evaluation.train(queue(30, 8, 32), cifar, criterion, optimizer)]
    results.append(evaluation.infer(queue(40, 4, 32), cifar, criterion))
    utils.save(cifar, os.path.join(evaluation.args.save, "weights.pt"))
    loaded = evaluated()
    utils.load(loaded, os.path.join(evaluation.args.save, "weights.pt"))
    return {
        "first": first,
        "second": second,
        "alphas": alphas,
        "unrolled_alphas": net.alphas_reduce,
        "stem": net.stem[0].weight,
        "classifier": net.classifier.weight,
        "evaluation": np.array(results),
        "cifar": cifar.auxiliary_head.classifier.weight,
        "loaded": loaded.classifier.weight,
    }
