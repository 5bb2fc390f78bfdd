import os

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader

import config
import image_quality_assessment
import train as script
from dataset import CPUPrefetcher, TestImageDataset, TrainValidImageDataset
from utils import load_state_dict, save_checkpoint

SIZE = 32
config.channels = 16
listed = os.listdir
os.listdir = lambda folder: sorted(listed(folder))


def build():
    return script.build_model()


def images(seed, rows, size):
    return torch.from_numpy(np.random.RandomState(seed).rand(rows, 1, size, size).astype("float32"))


def forward(net):
    net.eval()
    made, real = net(images(0, 2, 8)), images(1, 2, SIZE)
    return {
        "made": made,
        "psnr": lambda: image_quality_assessment.PSNR(4, False)(made, real),
        "ssim": lambda: image_quality_assessment.SSIM(4, False)(made, real),
    }


def pictures(folder, rows, size):
    os.makedirs(folder, exist_ok=True)
    for row in range(rows):
        pixels = np.random.RandomState(row).randint(0, 256, (6, 6, 3)).astype("uint8")
        cv2.imwrite(f"{folder}/{row}.png", cv2.resize(pixels, (size, size), interpolation=cv2.INTER_CUBIC))


class Writer:
    def __init__(self):
        self.scalars = []

    def add_scalar(self, name, value, step):
        self.scalars.append((name, value))


def train(net):
    pictures("training", 8, SIZE)
    pictures("test", 2, SIZE)
    pictures("test_low", 2, SIZE // 4)
    loader = DataLoader(TrainValidImageDataset("training", SIZE, 4, "Train"), batch_size=2, shuffle=False)
    test_loader = DataLoader(TestImageDataset("test", "test_low"), batch_size=1, shuffle=False)
    criterion, optimizer = script.define_loss(), script.define_optimizer(net)
    config.lr_scheduler_milestones = [1]
    scheduler = script.define_scheduler(optimizer)
    scaler = script.amp.GradScaler()
    writer = Writer()
    config.train_print_frequency = 1
    psnr_model, ssim_model = image_quality_assessment.PSNR(4, False), image_quality_assessment.SSIM(4, False)
    scores = []
    for epoch in range(2):
        script.train(net, CPUPrefetcher(loader), criterion, optimizer, epoch, scaler, writer)
        scores += script.validate(
            net, CPUPrefetcher(test_loader), epoch, writer, psnr_model, ssim_model, "Test"
        )
        scheduler.step()
    for folder in ("samples", "results"):
        os.makedirs(folder, exist_ok=True)
    state = {
        "epoch": 2,
        "best_psnr": scores[0],
        "best_ssim": scores[1],
        "state_dict": net.state_dict(),
        "optimizer": optimizer.state_dict(),
    }
    save_checkpoint(state, "2.pth.tar", "samples", "results", "best.pth.tar", "last.pth.tar", True, True)
    net, _, epoch, best, _, optimizer, _ = load_state_dict(
        net, "results/best.pth.tar", optimizer=optimizer, load_mode="resume"
    )
    script.train(net, CPUPrefetcher(loader), criterion, optimizer, epoch, scaler, writer)
    return {
        "losses": [value for name, value in writer.scalars if name == "Train/Loss"],
        "scores": scores,
        "first": net.feature_maps[0].weight,
        "last": net.sub_pixel[0].bias,
    }
