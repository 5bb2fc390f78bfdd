import os
import sys

import numpy as np
import torch
import torch.optim as optim
from torch.optim.lr_scheduler import MultiStepLR

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "TrainingCodes", "dncnn_pytorch"))
sys.argv = sys.argv[:1]  # main_train reads the command line and makes its folder when it is imported
os.makedirs("models", exist_ok=True)

from main_train import DnCNN, args, sigma, sum_squared_error


def build():
    return DnCNN(depth=5, n_channels=8)


def init():
    torch.manual_seed(1)
    net = DnCNN(depth=4, n_channels=32)
    return {"first": net.dncnn[0].weight, "middle": net.dncnn[2].weight}


def patches(seed):
    """Clean patches and noisy ones, as DenoisingDataset gives them."""
    rng = np.random.RandomState(seed)
    xs = rng.randint(0, 256, (4, 20, 20, 1)).astype("float32") / 255.0
    noise = (rng.randn(4, 1, 20, 20) * (sigma / 255.0)).astype("float32")
    batch_x = torch.from_numpy(xs.transpose((0, 3, 1, 2)))
    return batch_x + torch.from_numpy(noise), batch_x


def forward(model):
    model.eval()
    batch_y, batch_x = patches(0)
    output = model(batch_y)
    return {"denoised": output, "loss": lambda: sum_squared_error()(output, batch_x)}


def train(model):
    """The loop of main_train, which itself stands under its main."""
    model.train()
    criterion = sum_squared_error()
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    scheduler = MultiStepLR(optimizer, milestones=[1, 2], gamma=0.2)
    losses, rates = [], []
    for epoch in range(3):
        scheduler.step(epoch)
        rates.append(optimizer.param_groups[0]["lr"])
        for n_count in range(2):
            optimizer.zero_grad()
            batch_y, batch_x = patches(10 * epoch + n_count)
            loss = criterion(model(batch_y), batch_x)
            losses.append(loss.item())
            loss.backward()
            optimizer.step()
    return {
        "losses": losses,
        "rates": rates,
        "first": model.dncnn[0].weight,
        "running_mean": model.dncnn[3].running_mean,
    }
