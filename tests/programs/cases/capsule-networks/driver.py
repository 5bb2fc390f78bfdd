import numpy as np
import torch
from torch import nn
from torch.optim import Adam

import capsule_network
import capsule_network_svhn
from capsule_network import CapsuleLayer, CapsuleLoss, CapsuleNet, augmentation


class SmallNet(CapsuleNet):
    """The net for smaller pictures and fewer channels."""

    def __init__(self):
        nn.Module.__init__(self)
        self.conv1 = nn.Conv2d(in_channels=1, out_channels=16, kernel_size=5, stride=1)
        self.primary_capsules = CapsuleLayer(8, -1, 16, 4, kernel_size=5, stride=2)
        self.digit_capsules = CapsuleLayer(
            num_capsules=10, num_route_nodes=4 * 3 * 3, in_channels=8, out_channels=16
        )
        self.decoder = nn.Sequential(
            nn.Linear(160, 32), nn.ReLU(inplace=True), nn.Linear(32, 196), nn.Sigmoid()
        )


def build():
    return SmallNet(), capsule_network_svhn.CapsuleLayer(4, 18, 6, 5)


def batch(seed):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy((255 * rng.rand(6, 14, 14)).astype("uint8"))
    labels = torch.LongTensor(rng.randint(0, 10, 6))
    return images, torch.eye(capsule_network.NUM_CLASSES).index_select(dim=0, index=labels)


def shifted(seed):
    np.random.seed(seed)
    return augmentation(batch(seed)[0].unsqueeze(1).float() / 255.0)


def forward(net, layer):
    net.eval()
    images, labels = shifted(0), batch(0)[1]
    classes, reconstructions = net(images)
    capsules = torch.from_numpy(np.random.RandomState(1).randn(3, 18, 6).astype("float32"))
    return {
        "shifted": images,
        "classes": classes,
        "reconstructions": reconstructions,
        "reconstructed": lambda: net(images, labels)[1],
        "loss": lambda: CapsuleLoss()(images, labels, *net(images, labels)),
        "layer": lambda: layer(capsules),
        "softmax": lambda: capsule_network_svhn.softmax(capsules, dim=1),
    }


def train(net, layer):
    net.train()
    capsule_loss = CapsuleLoss()
    optimizer = Adam(net.parameters())
    losses = []
    for step in range(4):
        images, labels = shifted(step), batch(step)[1]
        optimizer.zero_grad()
        classes, reconstructions = net(images, labels)
        loss = capsule_loss(images, labels, classes, reconstructions)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "conv": net.conv1.weight,
        "primary": net.primary_capsules.capsules[2].weight,
        "route": net.digit_capsules.route_weights,
    }
