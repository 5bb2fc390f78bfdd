import numpy as np
import torch
from torch.utils.data import TensorDataset

from model import small_resnet
from train import fit, parse_args


def images(seed, size):
    rng = np.random.RandomState(seed)
    x = torch.from_numpy(rng.randn(size, 3, 16, 16).astype("float32"))
    y = torch.from_numpy(rng.randint(0, 10, size).astype("int64"))
    return TensorDataset(x, y)


def build():
    return small_resnet(num_classes=10)


def init():
    model = small_resnet(num_classes=10)
    return {"conv": model.layer2[0].conv2.weight, "bn": model.bn1.weight, "fc": model.fc.weight}


def forward(model):
    model.eval()
    return {"logits": model(images(0, 4).tensors[0])}


def train(model):
    history, optimizer = fit(model, images(1, 16), images(2, 8), parse_args([]))
    return {"losses": history, "lr": optimizer.param_groups[0]["lr"], "fc": model.fc.weight, "conv1": model.conv1.weight}
