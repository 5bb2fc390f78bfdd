import importlib
import os
import random
import sys

import numpy as np
import torch
from PIL import Image

from encoder import DataEncoder
from loss import FocalLoss
from retinanet import RetinaNet
from utils import box_iou, box_nms, mask_select, msr_init, softmax

SIZE = 96


def pictures():
    """Four pictures with two or three boxes each, two to train with and two to test with."""
    rng = np.random.RandomState(0)
    os.makedirs("pictures", exist_ok=True)
    os.makedirs("data", exist_ok=True)
    os.makedirs("model", exist_ok=True)
    lines = []
    for number in range(4):
        coarse = rng.randint(0, 255, (6, 7, 3)).astype("uint8")
        Image.fromarray(coarse).resize((140, 120), Image.BILINEAR).save(f"pictures/{number}.png")
        line = [f"{number}.png"]
        for _ in range(2 + number % 2):
            x, y = rng.randint(0, 60), rng.randint(0, 50)
            line += [x, y, x + rng.randint(30, 70), y + rng.randint(30, 60), rng.randint(0, 20)]
        lines.append(" ".join(str(part) for part in line))
    for name, part in (("voc12_train", lines[:2]), ("voc12_val", lines[2:])):
        with open(f"data/{name}.txt", "w", encoding="utf-8") as f:
            f.write("\n".join(part))


def build():
    return RetinaNet()


def encoded():
    boxes = torch.Tensor([[10, 12, 60, 70], [30, 8, 90, 50]])
    return DataEncoder().encode(boxes, torch.LongTensor([3, 7]), input_size=(SIZE, SIZE))


def forward(net):
    net.eval()
    rng = np.random.RandomState(1)
    images = torch.from_numpy(rng.randn(2, 3, SIZE, SIZE).astype("float32"))
    places, classes = net(images)
    loc_targets, cls_targets = encoded()
    loc_targets, cls_targets = torch.stack([loc_targets] * 2), torch.stack([cls_targets] * 2)
    chosen = torch.from_numpy(rng.randn(cls_targets.size(1), 20).astype("float32"))
    boxes = torch.Tensor([[0, 0, 20, 20], [1, 2, 21, 19], [30, 30, 50, 55], [28, 31, 52, 52], [70, 5, 90, 60]])
    return {
        "places": places,
        "classes": classes,
        "encoded": lambda: encoded(),
        "loss": lambda: FocalLoss()(places, loc_targets, classes, cls_targets),
        "focal": lambda: FocalLoss().focal_loss(classes[0][:50].detach(), cls_targets[0][:50].clamp(min=0)),
        "decoded": lambda: DataEncoder().decode(places[0].detach() * 0.1, chosen * 2 - 3, (SIZE, SIZE)),
        "iou": lambda: box_iou(boxes, boxes[:3], order="xywh"),
        "kept": lambda: [box_nms(boxes, torch.arange(5.0), mode=mode) for mode in ("union", "min")],
        "selected": lambda: mask_select(boxes, boxes[:, 0] > 10),
        "softmax": lambda: softmax(classes[0][:4]),
    }


def train(net):
    """The script trains while it is run, from model/net.pth on."""
    pictures()
    torch.save(net.state_dict(), "model/net.pth")
    random.seed(3)
    arguments = sys.argv
    sys.argv = ["train.py", "--lr", "0.001"]
    sys.modules.pop("train", None)
    script = importlib.import_module("train")
    sys.argv = arguments
    saved = torch.load("checkpoint/ckpt.pth")
    return {
        "best": script.best_loss,
        "epoch": saved["epoch"],
        "head": script.net.module.cls_head[8].weight,
        "places": saved["net"]["loc_head.8.bias"],
        "lateral": script.net.module.fpn.latlayer2.weight,
        "first": saved["net"]["fpn.conv1.weight"],
    }


def init():
    net = RetinaNet()
    msr_init(net.cls_head)
    return {"head": net.cls_head[0].weight, "last": net.cls_head[8].weight}
