import os
import random
import sys

import cv2
import numpy as np
import torch

import data as widerface
from layers.functions.prior_box import PriorBox
from layers.modules import MultiBoxLoss
from utils.box_utils import decode, decode_landm, nms

SIZE = 128
widerface.cfg_mnet.update(pretrain=False, image_size=SIZE, batch_size=2, epoch=3)
from models.retinaface import RetinaFace


def build():
    return RetinaFace(cfg=widerface.cfg_mnet)


def faces(folder):
    """Pictures with one or two faces each, and the text that lists them."""
    os.makedirs(f"{folder}/images", exist_ok=True)
    rng = np.random.RandomState(0)
    lines = []
    for number in range(2):
        picture = rng.randint(0, 256, (8, 8, 3)).astype("uint8")
        cv2.imwrite(f"{folder}/images/{number}.png", cv2.resize(picture, (96, 96)))
        lines.append(f"# {number}.png")
        for face in range(number + 1):
            x, y, size = 20 + 30 * face, 24, 28
            marks = [
                x + 6,
                y + 6,
                0,
                x + 20,
                y + 6,
                0,
                x + 14,
                y + 14,
                0,
                x + 8,
                y + 22,
                0,
                x + 20,
                y + 22,
                0,
            ]
            if face == 1:
                marks = [-1] * 15
            lines.append(" ".join(str(value) for value in [x, y, size, size, *marks, 0.9]))
    with open(f"{folder}/label.txt", "w") as file:
        file.write("\n".join(lines) + "\n")


def forward(net):
    net.eval()
    images = torch.from_numpy(np.random.RandomState(1).randn(2, 3, SIZE, SIZE).astype("float32"))
    priors = PriorBox(widerface.cfg_mnet, image_size=(SIZE, SIZE)).forward()
    boxes, scores, marks = net(images)
    targets = [
        torch.tensor([[0.1, 0.2, 0.5, 0.6, *[0.3] * 10, 1.0]]),
        torch.tensor([[0.4, 0.4, 0.9, 0.9, *[0.6] * 10, 1.0], [0.05, 0.1, 0.3, 0.4, *[-0.1] * 10, -1.0]]),
    ]
    criterion = MultiBoxLoss(2, 0.35, True, 0, True, 7, 0.35, False)
    found = decode(boxes[0].detach(), priors, [0.1, 0.2])
    return {
        "boxes": boxes,
        "scores": scores,
        "marks": marks,
        "priors": priors,
        "losses": lambda: list(criterion((boxes, scores, marks), priors, targets)),
        "decoded": found,
        "decoded_marks": lambda: decode_landm(marks[0].detach(), priors, [0.1, 0.2]),
        "kept": lambda: nms(found, scores[0, :, 1].detach(), 0.4, 20)[0][:5],
    }


def train(net):
    """The script's own loop over its own data set; both pictures are one batch."""
    faces("widerface")
    arguments = sys.argv
    sys.argv = ["train.py", "--training_dataset", "widerface/label.txt", "--num_workers", "0"]
    try:
        import train as script
    finally:
        sys.argv = arguments
    script.net = net
    script.optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9, weight_decay=5e-4)
    steps = []

    class Watched(MultiBoxLoss):
        def forward(self, *given):
            losses = super().forward(*given)
            steps.append([loss.item() for loss in losses])
            return losses

    script.criterion = Watched(2, 0.35, True, 0, True, 7, 0.35, False)
    random.seed(3)
    script.train()
    return {
        "losses": steps,
        "stage": net.body.stage1[0][0].weight,
        "norm": net.fpn.merge1[1].running_mean,
        "head": net.LandmarkHead[0].conv1x1.weight,
    }
