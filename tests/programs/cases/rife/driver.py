import os

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader

import train as script
from dataset import VimeoDataset
from model.IFNet_2R import IFNet as IFNet_2R
from model.laplacian import LapLoss, laplacian_pyramid
from model.loss import EPE, SOBEL, MeanShift, Ternary
from model.pytorch_msssim import ssim, ssim_matlab
from model.RIFE import Model
from model.warplayer import warp

models = []


def build():
    models[:] = [Model(), Model(arbitrary=True)]
    return models[0].flownet, models[1].flownet, IFNet_2R()


def frames(seed, count=2, size=64):
    """Two frames and the one between them: what is seen moves by some pixels."""
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.rand(count, 3, size // 8, size // 8), np.ones((1, 1, 8, 8)))
    smooth = sum(np.roll(coarse, (i, j), axis=(2, 3)) for i in range(6) for j in range(6)) / 36
    moved = [np.roll(smooth, shift, axis=3) for shift in (0, 3, 6)]
    first, between, last = (torch.from_numpy(one.astype("float32")) for one in moved)
    return torch.cat((first, last), 1), between


def losses():
    images, between = frames(4)
    first, last = images[:, :3], images[:, 3:]
    flow = 3 * images[:, :2] - 1
    shifted = MeanShift([0.4, 0.5, 0.6], [0.2, 0.3, 0.25])
    return [
        LapLoss()(first, between),
        SOBEL()(first, between).mean(),
        EPE()(flow, flow.flip(0), 0.5).mean(),
        Ternary()(first, last).mean(),
        shifted(first).mean(),
        MeanShift([0.4, 0.5, 0.6], [0.2, 0.3, 0.25], norm=False)(first).mean(),
        ssim(first, between),
        ssim_matlab(first, between),
    ]


def written(name, count):
    """A folder as VimeoDataset reads it."""
    os.makedirs("vimeo_triplet", exist_ok=True)
    names = [f"{name}/{number}" for number in range(count)]
    for number, one in enumerate(names):
        images, between = frames(50 + number, 1)
        os.makedirs(f"vimeo_triplet/sequences/{one}", exist_ok=True)
        for index, image in enumerate((images[0, :3], between[0], images[0, 3:])):
            pixels = (255 * image.permute(1, 2, 0).numpy()).astype("uint8")
            cv2.imwrite(f"vimeo_triplet/sequences/{one}/im{index + 1}.png", pixels)
    for kind in ("train", "test"):
        with open(f"vimeo_triplet/tri_{kind}list.txt", "w") as f:
            f.write("\n".join(names))


def seen():
    written("seen", 4)
    sample, timestep = VimeoDataset("test")[1]
    return [sample.float(), timestep]


def forward(net, arbitrary, other):
    for one in (net, arbitrary, other):
        one.eval()
    images, between = frames(1)
    flows, mask, merged, teacher, merged_teacher, distilled = net(torch.cat((images, between), 1))
    return {
        "flows": flows,
        "mask": mask,
        "merged": merged,
        "teacher": teacher,
        "distilled": distilled,
        "inference": lambda: models[0].inference(images[:, :3], images[:, 3:]),
        "both": lambda: models[0].inference(images[:, :3], images[:, 3:], scale_list=[8, 4, 2], TTA=True),
        "arbitrary": lambda: models[1].inference(images[:, :3], images[:, 3:], timestep=0.25),
        "other": lambda: other(images, scale=[4, 2, 1])[2],
        "warped": lambda: warp(images[:, :3], 4 * images[:, 3:5] - 2),
        "pyramid": lambda: laplacian_pyramid(between, LapLoss().gauss_kernel),
        "losses": lambda: losses(),
        "seen": lambda: seen(),
        "colours": lambda: script.flow2rgb(flows[2][0, :2].permute(1, 2, 0).detach().numpy()),
    }


def train(net, arbitrary, other):
    reached = []
    for step in range(3):
        images, between = frames(10 + step)
        _, info = models[0].update(images, between, learning_rate=script.get_learning_rate(300 * (step + 1)))
        reached += [info["loss_l1"], info["loss_tea"], info["loss_distill"]]
    written("seen", 4)
    with torch.no_grad():
        evaluated, after = models[0].update(*frames(20), training=False)
    script.evaluate(models[0], DataLoader(VimeoDataset("test"), batch_size=2), 0, 1, None)
    os.makedirs("train_log", exist_ok=True)
    models[0].save_model("train_log")
    kept = torch.load("train_log/flownet.pkl")
    _, varied = models[1].update(*frames(30), learning_rate=1e-4)
    return {
        "losses": reached,
        "evaluated": evaluated,
        "after": after["loss_tea"],
        "varied": varied["loss_tea"],
        "rate": models[0].optimG.param_groups[0]["lr"],
        "block": kept["block0.conv0.0.0.weight"],
        "slope": kept["block2.conv0.1.1.weight"],
        "up": kept["unet.up0.0.weight"],
        "teacher": kept["block_tea.lastconv.bias"],
        "other": arbitrary.block1.conv0[0][0].weight,
    }


def init():
    net = Model().flownet
    return {
        "conv": net.block0.convblock[0][0].weight,
        "up": net.unet.up0[0].weight,
        "slope": net.block0.convblock[0][1].weight,
    }
