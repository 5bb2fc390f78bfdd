"""Synthetic scenes: coloured rectangles on noise."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Rectangles(Dataset):
    """`length` images of `size` x `size`, each with one rectangle whose colour is its class."""

    def __init__(self, length=64, size=64, classes=10, seed=0):
        self.length, self.size, self.classes = length, size, classes
        self.random = np.random.RandomState(seed)

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        image = self.random.rand(3, self.size, self.size).astype(np.float32) * 0.1
        label = index % self.classes
        w, h = self.random.randint(8, self.size // 2, 2)
        x, y = self.random.randint(0, self.size - w), self.random.randint(0, self.size - h)
        image[label % 3, y : y + h, x : x + w] += (label + 1) / self.classes
        box = np.array([x + w / 2, y + h / 2, w, h], dtype=np.float32)
        return torch.from_numpy(image), torch.from_numpy(box), label


def collate(samples):
    images, boxes, labels = zip(*samples)
    return torch.stack(images), torch.stack(boxes), torch.tensor(labels, dtype=torch.long)


def make_loader(batch_size=8, **options):
    return DataLoader(Rectangles(**options), batch_size=batch_size, shuffle=True, collate_fn=collate, drop_last=True)
