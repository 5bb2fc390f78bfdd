import copy

import numpy as np
import torch
import torch.optim as optim
from torch import nn
from torch.utils.data.dataloader import DataLoader
from utils import AverageMeter, calc_psnr, convert_rgb_to_ycbcr, convert_ycbcr_to_rgb

from models import SRCNN

SIZE = 24


class Patches:
    """Pairs of small and large luma patches, as TrainDataset reads them."""

    def __init__(self, seed, count):
        random = np.random.RandomState(seed)
        self.hr = random.uniform(0, 255, (count, SIZE, SIZE)).astype(np.float32)
        self.lr = np.repeat(np.repeat(self.hr[:, ::2, ::2], 2, axis=1), 2, axis=2)

    def __getitem__(self, idx):
        return np.expand_dims(self.lr[idx] / 255.0, 0), np.expand_dims(self.hr[idx] / 255.0, 0)

    def __len__(self):
        return len(self.lr)


def build():
    return SRCNN()


def forward(model):
    """As test.py: the luma of a picture goes through the network."""
    model.eval()
    image = np.random.RandomState(0).uniform(0, 255, (SIZE, SIZE, 3)).astype(np.float32)
    ycbcr = convert_rgb_to_ycbcr(image)
    y = torch.from_numpy((ycbcr[..., 0] / 255.0).astype(np.float32)).unsqueeze(0).unsqueeze(0)
    with torch.no_grad():
        raw = model(y)
        preds = raw.clamp(0.0, 1.0)
    psnr = calc_psnr(y, preds)
    preds = preds.mul(255.0).cpu().numpy().squeeze(0).squeeze(0)
    output = np.array([preds, ycbcr[..., 1], ycbcr[..., 2]]).transpose([1, 2, 0])
    return {"raw": raw, "psnr": psnr, "picture": np.clip(convert_ycbcr_to_rgb(output), 0.0, 255.0)}


def train(model):
    lr = 1e-4
    criterion = nn.MSELoss()
    optimizer = optim.Adam(
        [
            {"params": model.conv1.parameters()},
            {"params": model.conv2.parameters()},
            {"params": model.conv3.parameters(), "lr": lr * 0.1},
        ],
        lr=lr,
    )
    train_dataloader = DataLoader(dataset=Patches(1, 8), batch_size=4, shuffle=False, drop_last=True)
    eval_dataloader = DataLoader(dataset=Patches(2, 2), batch_size=1)
    best_weights, best_psnr = copy.deepcopy(model.state_dict()), 0.0
    losses, psnrs = [], []
    for _ in range(2):
        model.train()
        epoch_losses = AverageMeter()
        for inputs, labels in train_dataloader:
            preds = model(inputs)
            loss = criterion(preds, labels)
            epoch_losses.update(loss.item(), len(inputs))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        epoch_psnr = AverageMeter()
        for inputs, labels in eval_dataloader:
            with torch.no_grad():
                preds = model(inputs).clamp(0.0, 1.0)
            epoch_psnr.update(calc_psnr(preds, labels), len(inputs))
        if epoch_psnr.avg > best_psnr:
            best_psnr = epoch_psnr.avg
            best_weights = copy.deepcopy(model.state_dict())
        losses.append(epoch_losses.avg)
        psnrs.append(epoch_psnr.avg.item())
    return {
        "losses": losses,
        "psnrs": psnrs,
        "best": best_weights["conv3.weight"],
        "first": model.conv1.weight,
    }
