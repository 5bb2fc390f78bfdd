import argparse
import sys

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, TensorDataset

import pretrainedmodels
from pretrainedmodels import utils
from pretrainedmodels.models import senet, torchvision_models

sys.argv = ["imagenet_eval.py", "data"]
sys.path.append("examples")

import imagenet_eval

imagenet_eval.args = argparse.Namespace(lr=0.01, print_freq=2)
CLASSES = 7


def build():
    seresnext = senet.SENet(
        senet.SEResNeXtBottleneck, [1, 1, 1, 1], groups=4, reduction=16, dropout_p=None, inplanes=64, input_3x3=False,
        downsample_kernel_size=1, downsample_padding=0, num_classes=CLASSES,
    )  # fmt: skip
    resnet = pretrainedmodels.__dict__["resnet18"](num_classes=CLASSES, pretrained=None)
    squeezed = torchvision_models.squeezenet1_1(num_classes=CLASSES, pretrained=None)
    seresnext.avg_pool = nn.AdaptiveAvgPool2d(1)
    return (
        seresnext,
        resnet,
        squeezed,
        pretrainedmodels.xception(num_classes=1000, pretrained=None),
        pretrainedmodels.bninception(num_classes=CLASSES, pretrained=None),
        pretrainedmodels.dpn68(num_classes=CLASSES, pretrained=None),
    )


def init():
    torch.manual_seed(1)
    net = pretrainedmodels.dpn68(num_classes=50, pretrained=None)
    return {"dpn": net.last_linear.weight, "xception": pretrainedmodels.xception(pretrained=None).conv2.weight}


def images(seed, size, width=128):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, width, width).astype("float32"))


def transformed(name):
    picture = Image.fromarray(np.random.RandomState(8).randint(0, 256, (50, 60, 3)).astype("uint8"))
    settings = pretrainedmodels.pretrained_settings[name]["imagenet"]
    settings = argparse.Namespace(**{**settings, "input_size": [3, 32, 32]})
    return utils.TransformImage(settings)(picture)


def forward(seresnext, resnet, squeezed, inception, normed, dual):
    for net in (seresnext, resnet, squeezed, inception, normed, dual):
        net.eval()
    x = images(0, 2)
    return {
        "seresnext": seresnext(x),
        "names": len(pretrainedmodels.model_names),
        "resnet": lambda: resnet(x),
        "resnet_features": lambda: resnet.features(x),
        "resnet_logits": lambda: resnet.logits(resnet.features(x)),
        "squeezed": lambda: squeezed(x),
        "xception": lambda: inception.features(x),
        "bninception": lambda: normed(images(1, 1, 224)),
        "dpn": lambda: dual(images(1, 1, 224)),
        "transformed": lambda: transformed("bninception"),
        "plain": lambda: transformed("resnet18"),
        "cut": lambda: cut(resnet)(x),
    }


def cut(net):
    """Where features are wanted the last layer is put out."""
    last, net.last_linear = net.last_linear, utils.Identity()
    features = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1)
    net.last_linear = last
    return features


def loader(seed, size):
    labels = torch.from_numpy(np.random.RandomState(seed).randint(0, CLASSES, size).astype("int64"))
    return DataLoader(TensorDataset(images(seed, size), labels), batch_size=6, shuffle=False)


def train(seresnext, resnet, squeezed, inception, normed, dual):
    criterion = nn.CrossEntropyLoss()
    scores, losses = [], []
    for net in (seresnext, resnet):
        optimizer = torch.optim.SGD(net.parameters(), imagenet_eval.args.lr, momentum=0.9, weight_decay=1e-4)
        imagenet_eval.adjust_learning_rate(optimizer, 30)
        imagenet_eval.train(loader(10, 18), net, criterion, optimizer, 0)
        scores += imagenet_eval.validate(loader(11, 6), net, criterion)
        losses.append(criterion(net(images(12, 6)), torch.arange(6)).item())
        imagenet_eval.save_checkpoint({"epoch": 1, "state_dict": net.state_dict()}, True)
    resnet.load_state_dict(torch.load("model_best.pth.tar")["state_dict"])
    return {
        "scores": [float(score) for score in scores],
        "losses": losses,
        "se": seresnext.layer1[0].se_module.fc1.weight,
        "last": resnet.last_linear.weight,
        "first": resnet.conv1.weight,
    }
