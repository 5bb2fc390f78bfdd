import argparse
import sys

import numpy as np
import torch
import torch.optim as optim
from torch.optim.lr_scheduler import CosineAnnealingLR

sys.path.insert(0, "pytorch")

from data import translate_pointcloud
from model import DGCNN, PointNet, get_graph_feature, knn
from util import cal_loss

POINTS, CLASSES = 32, 5

args = argparse.Namespace(
    batch_size=8, epochs=3, use_sgd=True, lr=0.001, momentum=0.9, num_points=POINTS, dropout=0.0, emb_dims=64, k=5
)


def build():
    pointnet = PointNet(args, output_channels=CLASSES)
    pointnet.dp1.p = 0.0
    return DGCNN(args, output_channels=CLASSES), pointnet


def clouds(seed):
    """Boxes of different shapes, moved as the repository's data set moves them."""
    rng = np.random.RandomState(seed)
    np.random.seed(seed)
    sizes = rng.uniform(0.1, 1, (args.batch_size, 1, 3))
    points = sizes * rng.uniform(-1, 1, (args.batch_size, POINTS, 3))
    points = np.stack([translate_pointcloud(cloud) for cloud in points])
    return torch.from_numpy(points), torch.from_numpy(rng.randint(0, CLASSES, (args.batch_size, 1)))


def forward(dgcnn, pointnet):
    data = clouds(0)[0].permute(0, 2, 1)
    dgcnn.eval()
    pointnet.eval()
    return {
        "logits": dgcnn(data),
        "pointnet": lambda: pointnet(data),
        "neighbours": lambda: knn(data, args.k),
        "graph": lambda: get_graph_feature(data, k=args.k),
    }


def trained(model, seed):
    """The loop of main.train, which itself reads ModelNet40."""
    device = torch.device("cpu")
    if args.use_sgd:
        opt = optim.SGD(model.parameters(), lr=args.lr * 100, momentum=args.momentum, weight_decay=1e-4)
    else:
        opt = optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-4)
    scheduler = CosineAnnealingLR(opt, args.epochs, eta_min=args.lr)
    criterion = cal_loss

    losses = []
    for epoch in range(args.epochs):
        scheduler.step()
        train_loss = 0.0
        count = 0.0
        model.train()
        train_pred = []
        train_true = []
        for data, label in [clouds(seed + epoch)]:
            data, label = data.to(device), label.to(device).squeeze()
            data = data.permute(0, 2, 1)
            batch_size = data.size()[0]
            opt.zero_grad()
            logits = model(data)
            loss = criterion(logits, label)
            loss.backward()
            opt.step()
            preds = logits.max(dim=1)[1]
            count += batch_size
            train_loss += loss.item() * batch_size
            train_true.append(label.cpu().numpy())
            train_pred.append(preds.detach().cpu().numpy())
        losses.append(train_loss * 1.0 / count)
    return losses


def train(dgcnn, pointnet):
    return {
        "losses": trained(dgcnn, 10),
        "first": dgcnn.conv1[0].weight,
        "last": dgcnn.linear3.weight,
        "pointnet": lambda: trained(pointnet, 20),
    }
