"""A convolutional network on handwritten digits of scikit-learn; the figure is the share that it reads."""

import argparse
import json
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(32)
        self.dropout = nn.Dropout(0.25)
        self.fc1 = nn.Linear(32 * 2 * 2, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        x = self.dropout(torch.flatten(x, 1))
        return self.fc2(F.relu(self.fc1(x)))


def accuracy(net, images, labels):
    net.eval()
    with torch.no_grad():
        guessed = net(images).argmax(1)
    net.train()
    return (guessed == labels).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    digits = load_digits()
    images = torch.from_numpy((digits.images / 16).astype(np.float32)).unsqueeze(1)
    labels = torch.from_numpy(digits.target.astype(np.int64))
    loader = DataLoader(TensorDataset(images[:1400], labels[:1400]), batch_size=50, shuffle=True)
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.3)
    seconds = []
    for epoch in range(args.epochs):
        for x, y in loader:
            start = time.perf_counter()
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            seconds.append(time.perf_counter() - start)
        scheduler.step()
        print(
            json.dumps({"step": epoch + 1, "value": accuracy(net, images[1400:], labels[1400:])}), flush=True
        )
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
