import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim
from pointnet.model import PointNetCls, PointNetDenseCls, feature_transform_regularizer

PARTS, KINDS, POINTS, BATCH = 4, 5, 40, 6


def build():
    return PointNetDenseCls(k=PARTS, feature_transform=True), PointNetCls(k=KINDS, feature_transform=True)


def cloud(seed):
    """Points and the part that each belongs to, counted from 1, as ShapeNetDataset gives them."""
    random = np.random.RandomState(seed)
    points = torch.from_numpy(random.uniform(-1, 1, (BATCH, POINTS, 3)).astype("float32"))
    return points, torch.from_numpy(random.randint(1, PARTS + 1, (BATCH, POINTS)).astype("int64"))


def forward(segmenter, classifier):
    segmenter.eval()
    classifier.eval()
    points = cloud(0)[0].transpose(2, 1)
    with torch.no_grad():
        parts, trans, trans_feat = segmenter(points)
        kinds, _, _ = classifier(points)
        regularizer = feature_transform_regularizer(trans_feat)
    return {"parts": parts, "trans": trans, "kinds": kinds, "regularizer": regularizer}


def train(segmenter, classifier):
    """The loop of train_segmentation.py, whose network has no dropout."""
    optimizer = optim.Adam(segmenter.parameters(), lr=0.0001, betas=(0.9, 0.999))
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    losses = []
    for epoch in range(3):
        points, target = cloud(1 + epoch)
        points = points.transpose(2, 1)
        optimizer.zero_grad()
        segmenter = segmenter.train()
        pred, _, trans_feat = segmenter(points)
        pred = pred.view(-1, PARTS)
        target = target.view(-1, 1)[:, 0] - 1
        loss = F.nll_loss(pred, target)
        loss += feature_transform_regularizer(trans_feat) * 0.001
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "last": segmenter.conv4.weight,
        "norm": segmenter.bn3.weight,
    }
