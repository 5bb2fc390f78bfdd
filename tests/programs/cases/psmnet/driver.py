import os
import sys
import tempfile

import numpy as np
import torch
import torch.optim as optim
from PIL import Image

MAXDISP = 16


def write_pair(left, right, disparity, name, seed):
    rng = np.random.RandomState(seed)
    for folder in (left, right):
        pixels = rng.randint(0, 256, (256, 256, 3)).astype("uint8")
        Image.fromarray(pixels).save(os.path.join(folder, name + ".png"))
    with open(os.path.join(disparity, name + ".pfm"), "wb") as file:
        file.write(b"Pf\n256 256\n-1.0\n")
        rng.uniform(1, MAXDISP + 2, (256, 256)).astype("<f4").tofile(file)


def write_files(root):
    """SceneFlow in small: every folder is there, and one pair of images in each part."""
    scenes = [("monkaa_frames_cleanpass/a", "monkaa_disparity/a")]
    for part in ("TRAIN", "TEST"):
        scenes += [(f"frames_cleanpass/{part}/{s}/0000", f"frames_disparity/{part}/{s}/0000") for s in "ABC"]
    for lens in ("35mm_focallength", "15mm_focallength"):
        for direction in ("scene_backwards", "scene_forwards"):
            for speed in ("fast", "slow"):
                place = f"{lens}/{direction}/{speed}"
                scenes.append((f"driving_frames_cleanpass/{place}", f"driving_disparity/{place}"))
    for seed, (frames, disparity) in enumerate(scenes):
        folders = [os.path.join(root, *path.split("/"), side) for path, side in ((frames, "left"), (frames, "right"), (disparity, "left"))]
        for folder in folders:
            os.makedirs(folder)
        write_pair(*folders, "0001", seed)


# main.py reads its arguments and lists its files when it is imported.
root, arguments = tempfile.mkdtemp(), sys.argv
write_files(root)
sys.argv = ["main.py", "--maxdisp", str(MAXDISP), "--model", "basic", "--no-cuda", "--datapath", root + "/"]
import main as program

sys.argv = arguments

from dataloader import SecenFlowLoader
from dataloader.preprocess import Brightness, Contrast, Grayscale
from models import basic, stackhourglass
from models.submodule import disparityregression


def build():
    nets = stackhourglass(MAXDISP), basic(MAXDISP)
    for net in nets:
        for name, parameter in net.named_parameters():
            if name.startswith("classif") and parameter.dim() == 5 and parameter.shape[0] == 1:
                parameter.data.mul_(0.001)  # untrained costs are so large that a softmax of them only chooses
    return nets


def init():
    torch.manual_seed(1)
    net = basic(MAXDISP)
    return {"conv": net.feature_extraction.layer3[0].conv2[0].weight, "cost": net.dres0[0][0].weight}


def dataset():
    return SecenFlowLoader.myImageFloder(
        sorted(program.test_left_img), sorted(program.test_right_img), sorted(program.test_left_disp), False
    )


def pair(index, height=256, width=256):
    left, right, disparity = dataset()[index]
    disparity = torch.from_numpy(disparity.copy())[:height, :width]
    return left[None, :, :height, :width], right[None, :, :height, :width], disparity[None]


def batch(*indices):
    return tuple(torch.cat(parts) for parts in zip(*(pair(index) for index in indices)))


def forward(stacked, plain):
    stacked.eval()
    plain.eval()
    left, right, disparity = pair(0)
    with torch.no_grad():
        return {
            "left": left,
            "disparity": disparity,
            "stacked": stacked(left, right),
            "plain": plain(left, right),
            "regressed": lambda: disparityregression(4)(torch.softmax(left[:, :1, :4], 2).transpose(1, 2)),
            "gray": lambda: Grayscale()(left[0, :, :5, :5]),
            "dark": lambda: Brightness(0)(left[0, :, :5, :5]),
            "flat": lambda: Contrast(0)(left[0, :, :5, :5]),
        }


def train(stacked, plain):
    results = {}
    for name, net, kind in (("stacked", stacked, "stackhourglass"), ("plain", plain, "basic")):
        program.model, program.args.model = net, kind
        program.optimizer = optim.Adam(net.parameters(), lr=1e-3, betas=(0.9, 0.999))
        losses = []
        for step in range(1 if name == "stacked" else 2):
            program.adjust_learning_rate(program.optimizer, step)
            for group in program.optimizer.param_groups:
                group["lr"] *= 0.01
            losses.append(program.train(*batch(step, step + 1)))
        results[name] = losses
        results[name + "_cost"] = net.dres1[0][0].weight
        results[name + "_mean"] = net.feature_extraction.lastconv[0][1].running_mean
    results["end"] = program.test(*batch(1, 2))
    return results
