import argparse

import numpy as np
import torch
import train as program
from models.pfld import AuxiliaryNet, PFLDInference
from pfld.loss import PFLDLoss, smoothL1, wing_loss

program.args = argparse.Namespace(train_batchsize=4)


def batch(seed, number=4):
    rng = np.random.RandomState(seed)
    pictures = rng.rand(number, 3, 112, 112).astype("float32")
    landmarks = rng.rand(number, 196).astype("float32")
    attributes = rng.randint(0, 2, (number, 6)).astype("int64")
    attributes[:, 3] = 0
    return [
        torch.from_numpy(one)
        for one in (pictures, landmarks, attributes, rng.randn(number, 3).astype("float32"))
    ]


def build():
    return PFLDInference(), AuxiliaryNet()


def forward(backbone, auxiliary):
    backbone.eval()
    auxiliary.eval()
    pictures, landmarks, attributes, angles = batch(1)

    def losses():
        features, found = backbone(pictures)
        weighted, plain = PFLDLoss()(attributes, landmarks, angles, auxiliary(features), found, 4)
        return [weighted, plain, smoothL1(landmarks, found), wing_loss(landmarks, found, N_LANDMARK=98)]

    return {
        "landmarks": lambda: backbone(pictures)[1],
        "angles": lambda: auxiliary(backbone(pictures)[0]),
        "losses": losses,
    }


def train(backbone, auxiliary):
    optimizer = torch.optim.Adam(
        [{"params": backbone.parameters()}, {"params": auxiliary.parameters()}], lr=1e-4, weight_decay=1e-6
    )
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", patience=1)
    backbone.train()
    auxiliary.train()
    criterion, losses = PFLDLoss(), []
    for epoch in range(2):
        batches = [batch(10 * epoch + i) for i in range(2)]
        weighted, loss = program.train(batches, backbone, auxiliary, criterion, optimizer, epoch)
        validated = program.validate(batches, backbone, auxiliary, criterion)
        schedule.step(validated)
        losses += [weighted.item(), loss.item(), float(validated)]
    return {
        "losses": losses,
        "landmarks": backbone.fc.weight,
        "first": backbone.conv1.weight,
        "angles": auxiliary.fc2.weight,
    }


def init():
    backbone, auxiliary = build()
    return {"first": backbone.conv1.weight, "fc": backbone.fc.weight, "conv4": auxiliary.conv4[0].weight}
