import importlib
import os
import pathlib
import sys

import numpy as np
import torch
from PIL import Image

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "Deraining"))
sys.path.insert(0, str(HERE / "pytorch-gradual-warmup-lr"))

from losses import CharbonnierLoss, EdgeLoss  # noqa: E402
from MPRNet import MPRNet  # noqa: E402

SETTINGS = """
GPU: [0]
MODEL:
  MODE: 'Deraining'
  SESSION: 'MPRNet'
OPTIM:
  BATCH_SIZE: 2
  NUM_EPOCHS: 5
  LR_INITIAL: 2e-4
  LR_MIN: 1e-6
TRAINING:
  VAL_AFTER_EVERY: 1
  RESUME: %s
  TRAIN_PS: 32
  VAL_PS: 32
  TRAIN_DIR: 'pictures'
  VAL_DIR: 'pictures'
  SAVE_DIR: 'checkpoints'
"""


def pictures():
    rng = np.random.RandomState(0)
    for kind in ("input", "target"):
        os.makedirs(f"pictures/{kind}", exist_ok=True)
    for number in range(4):
        clean = Image.fromarray(rng.randint(0, 255, (6, 6, 3)).astype("uint8")).resize((40, 36), Image.BILINEAR)
        noise = rng.randint(-20, 20, (36, 40, 3))
        clean.save(f"pictures/target/{number}.png")
        noisy = np.clip(np.asarray(clean).astype("int64") + noise, 0, 255).astype("uint8")
        Image.fromarray(noisy).save(f"pictures/input/{number}.png")


def build():
    return MPRNet(n_feat=8, scale_unetfeats=4, scale_orsnetfeats=4, num_cab=2)


def forward(net):
    net.eval()
    rng = np.random.RandomState(1)
    images = torch.from_numpy(rng.rand(2, 3, 32, 48).astype("float32"))
    target = torch.from_numpy(rng.rand(2, 3, 32, 48).astype("float32"))
    restored = net(images)
    return {
        "restored": restored,
        "charbonnier": lambda: CharbonnierLoss()(restored[0], target),
        "edge": lambda: EdgeLoss()(restored[1], target),
    }


def run(resume):
    """The script trains while it is run."""
    with open("training.yml", "w", encoding="utf-8") as f:
        f.write(SETTINGS % resume)
    sys.modules.pop("train", None)
    return importlib.import_module("train")


def train(net):
    pictures()
    os.makedirs("checkpoints/Deraining/models/MPRNet", exist_ok=True)
    begin = {"epoch": 2, "state_dict": net.state_dict(), "optimizer": torch.optim.Adam(net.parameters(), lr=2e-4).state_dict()}
    torch.save(begin, "checkpoints/Deraining/models/MPRNet/model_latest.pth")
    script = run(True)
    best = torch.load("checkpoints/Deraining/models/MPRNet/model_best.pth")
    return {
        "psnr": script.best_psnr,
        "epoch": script.best_epoch,
        "loss": script.epoch_loss,
        "rate": script.scheduler.get_lr()[0],
        "first": script.model_restoration.shallow_feat1[0].weight,
        "slope": best["state_dict"]["shallow_feat1.1.body.1.weight"],
        "tail": best["state_dict"]["tail.weight"],
    }
