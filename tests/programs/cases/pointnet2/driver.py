import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import provider
import train_classification  # puts the folder of the models on the path

import pointnet2_cls_ssg
import pointnet_cls
import pointnet_sem_seg
from pointnet2_utils import PointNetFeaturePropagation, PointNetSetAbstraction

POINTS, CLASSES = 64, 5


class SmallPointNet2(nn.Module):
    """The repository's PointNet++ models in small. Sampling starts at a random point, but as it takes all of the points
    here, only their order is random, and the maximum over them does not depend on it."""

    def __init__(self):
        super().__init__()
        self.sa1 = PointNetSetAbstraction(POINTS, 0.4, 16, in_channel=3, mlp=[16, 16, 32], group_all=False)
        self.sa2 = PointNetSetAbstraction(None, None, None, in_channel=32 + 3, mlp=[32, 64], group_all=True)
        self.fp = PointNetFeaturePropagation(in_channel=64, mlp=[32])
        self.fc = nn.Linear(64, CLASSES)

    def forward(self, xyz):
        l1_xyz, l1_points = self.sa1(xyz, None)
        l2_xyz, l2_points = self.sa2(l1_xyz, l1_points)
        x = F.log_softmax(self.fc(l2_points.view(xyz.shape[0], 64)), -1)
        return x, self.fp(xyz, l2_xyz, None, l2_points)


def build():
    classifier = pointnet_cls.get_model(CLASSES, normal_channel=False)
    classifier.dropout.p = 0.0
    return classifier, pointnet_sem_seg.get_model(CLASSES), SmallPointNet2()


def clouds(seed, channels=3):
    """Boxes of different shapes and places; clouds that are too alike would leave batch norm nothing but rounding."""
    rng = np.random.RandomState(seed)
    sizes, places = rng.uniform(0.1, 1, (8, 1, channels)), rng.uniform(-1, 1, (8, 1, channels))
    points = sizes * rng.uniform(-1, 1, (8, POINTS, channels)) + places
    return points.astype("float32"), rng.randint(0, CLASSES, 8)


def forward(classifier, segmenter, small):
    points = torch.from_numpy(clouds(0)[0]).transpose(2, 1)
    colored = torch.from_numpy(clouds(1, 9)[0]).transpose(2, 1)
    for net in (classifier, segmenter, small):
        net.eval()
    pred, trans_feat = classifier(points)
    return {
        "pred": pred,
        "trans_feat": trans_feat,
        "segments": lambda: segmenter(colored)[0],
        "pointnet2": lambda: small(points)[0],
        "propagated": lambda: small(points)[1],
    }


def trained(classifier, criterion, optimizer):
    classifier.apply(train_classification.inplace_relu)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.7)
    np.random.seed(0)
    losses = []
    for step in range(3):
        classifier = classifier.train()
        points, target = clouds(10 + step)
        optimizer.zero_grad()
        points[:, :, 0:3] = provider.random_scale_point_cloud(points[:, :, 0:3])
        points[:, :, 0:3] = provider.shift_point_cloud(points[:, :, 0:3])
        points = torch.Tensor(points)
        points = points.transpose(2, 1)
        target = torch.from_numpy(target)
        pred, trans_feat = classifier(points)
        loss = criterion(pred, target.long(), trans_feat)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses


def train(classifier, segmenter, small):
    sgd = torch.optim.SGD(classifier.parameters(), lr=0.001, momentum=0.9)
    adam = torch.optim.Adam(small.parameters(), lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-4)
    return {
        "losses": trained(classifier, pointnet_cls.get_loss(), sgd),
        "weight": classifier.fc3.weight,
        "pointnet2": lambda: trained(small, pointnet2_cls_ssg.get_loss(), adam),
    }
