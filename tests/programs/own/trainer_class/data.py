import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class TableDataset(Dataset):
    def __init__(self, features, labels):
        self.features = torch.as_tensor(features, dtype=torch.float32)
        self.labels = torch.as_tensor(labels, dtype=torch.long)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.features[index], self.labels[index]


def make_loader(size, cfg, seed, shuffle=False):
    rng = np.random.RandomState(seed)
    features = rng.randn(size, cfg.num_features)
    labels = rng.randint(0, cfg.num_classes, size)
    return DataLoader(TableDataset(features, labels), batch_size=cfg.batch_size, shuffle=shuffle, drop_last=True)
