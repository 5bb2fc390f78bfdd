import numpy as np
import torch
import torch.nn as nn

import pyramidnet as PYRM
import resnet as RN
import train as training
import utils

args = training.parser.parse_args(
    "--net_type pyramidnet --dataset cifar10 --depth 8 --alpha 12 --no-bottleneck --epochs 4 --beta 1.0 "
    "--cutmix_prob 0.7 --lr 0.05 --expname BENCH".split()
)


def build():
    return (
        PYRM.PyramidNet(args.dataset, args.depth, args.alpha, 10, args.bottleneck),
        PYRM.PyramidNet("cifar100", 11, 9, 20, True),
        RN.ResNet("cifar10", 11, 10, True),
        RN.ResNet("cifar10", 8, 10, False),
    )


def init():
    torch.manual_seed(1)
    pyramid, residual = PYRM.PyramidNet("cifar10", 20, 48, 10, False), RN.ResNet("cifar10", 29, 10, True)
    return {
        "pyramid": pyramid.layer3[0].conv1.weight,
        "pyramid_bn": pyramid.bn_final.weight,
        "resnet": residual.layer3[1].conv2.weight,
        "resnet_bias": residual.bn1.bias,
    }


def batch(seed, classes=10):
    rng = np.random.RandomState(seed)
    target = rng.randint(0, classes, 6)
    images = rng.randn(6, 3, 32, 32) + target[:, None, None, None] / classes
    return torch.from_numpy(images.astype("float32")), torch.from_numpy(target)


def colours():
    """The repository's own transforms with strengths of zero: what is drawn decides nothing."""
    image = torch.from_numpy(np.random.RandomState(3).rand(3, 8, 8).astype("float32"))
    grey = utils.Grayscale()(image)
    eigval, eigvec = [0.2175, 0.0188, 0.0045], [[-0.5, 0.7, 0.4], [-0.5, -0.0, -0.8], [-0.5, -0.6, 0.4]]
    lit = utils.Lighting(alphastd=0.0, eigval=torch.Tensor(eigval), eigvec=torch.Tensor(eigvec))(image)
    return torch.stack(
        [grey, lit, utils.Brightness(0.0)(image), utils.Contrast(0.0)(image), utils.Saturation(0.0)(image)]
    )


def forward(*nets):
    for net in nets:
        net.eval()
    images, target = batch(0)
    output = nets[0](images)
    return {
        "pyramid": output,
        "pyramid_bottleneck": lambda: nets[1](images),
        "resnet_bottleneck": lambda: nets[2](images),
        "resnet": lambda: nets[3](images),
        "accuracy": lambda: training.accuracy(output.data, target, topk=(1, 5)),
        "colours": colours,
    }


def train(*nets):
    training.args = args
    np.random.seed(5)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for net in nets[0], nets[2]:
        optimizer = torch.optim.SGD(
            net.parameters(), args.lr, momentum=args.momentum, weight_decay=args.weight_decay, nesterov=True
        )
        for epoch in 1, 3:
            training.adjust_learning_rate(optimizer, epoch)
            losses += training.get_learning_rate(optimizer)
            losses.append(
                training.train([batch(10 * epoch), batch(10 * epoch + 1)], net, criterion, optimizer, epoch)
            )
        losses += training.validate([batch(100)], net, criterion, 3)
    return {
        "losses": np.array(losses, dtype=float),
        "pyramid": nets[0].conv1.weight,
        "pyramid_mean": nets[0].bn_final.running_mean,
        "resnet": nets[2].fc.weight,
    }
