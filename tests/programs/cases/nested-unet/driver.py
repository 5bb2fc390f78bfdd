import os

import cv2
import numpy as np
import torch
from torch.optim import lr_scheduler

import archs
import losses
import train as script
from dataset import Dataset
from metrics import dice_coef, iou_score
from utils import count_params

SIZE = 32


def build():
    return archs.NestedUNet(1, 3, True), archs.UNet(2)


def pictures():
    rng = np.random.RandomState(0)
    for folder in ("images", "masks/0"):
        os.makedirs(f"inputs/{folder}", exist_ok=True)
    for number in range(4):
        picture = rng.randint(0, 256, (SIZE, SIZE, 3)).astype("uint8")
        mask = np.zeros((SIZE, SIZE), "uint8")
        mask[4 : 20 + number, 6:22] = 255
        cv2.imwrite(f"inputs/images/{number}.png", picture)
        cv2.imwrite(f"inputs/masks/0/{number}.png", mask)
    return Dataset([str(number) for number in range(4)], "inputs/images", "inputs/masks", ".png", ".png", 1)


def forward(nested, unet):
    nested.eval()
    unet.eval()
    rng = np.random.RandomState(1)
    image = torch.from_numpy(rng.randn(2, 3, SIZE, SIZE).astype("float32"))
    target = torch.from_numpy((rng.rand(2, 1, SIZE, SIZE) > 0.6).astype("float32"))
    outputs = nested(image)
    return {
        "nested": outputs,
        "unet": lambda: unet(image),
        "dice": lambda: losses.BCEDiceLoss()(outputs[-1], target),
        "iou": lambda: iou_score(outputs[0], target),
        "coefficient": lambda: dice_coef(outputs[0], target),
        "count": count_params(unet),
    }


def train(nested, unet):
    loader = torch.utils.data.DataLoader(pictures(), batch_size=2, shuffle=False, drop_last=True)
    config = {"deep_supervision": True}
    criterion = losses.__dict__["BCEDiceLoss"]()
    params = filter(lambda p: p.requires_grad, nested.parameters())
    optimizer = torch.optim.SGD(params, lr=1e-3, momentum=0.9, nesterov=False, weight_decay=1e-4)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=3, eta_min=1e-5)
    logs = []
    for _ in range(2):
        logs.append(list(script.train(config, loader, nested, criterion, optimizer).values()))
        logs.append(list(script.validate(config, loader, nested, criterion).values()))
        scheduler.step()
    return {
        "logs": logs,
        "rate": optimizer.param_groups[0]["lr"],
        "first": nested.conv0_0.conv1.weight,
        "norm": nested.conv0_1.bn2.running_var,
        "final": nested.final4.weight,
    }
