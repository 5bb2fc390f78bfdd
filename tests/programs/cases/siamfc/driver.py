import os

import cv2
import numpy as np
import torch

from siamfc.backbones import AlexNetV2, AlexNetV3
from siamfc.losses import BalancedLoss, FocalLoss, GHMCLoss, OHNMLoss
from siamfc.siamfc import TrackerSiamFC

trackers = []


def build():
    tracker = TrackerSiamFC(batch_size=2, num_workers=0, epoch_num=2)
    trackers.append(tracker)
    return tracker.net, AlexNetV2(), AlexNetV3()


def images(seed, count, size):
    rng = np.random.RandomState(seed)
    coarse = np.kron(rng.rand(count, 3, size // 8, size // 8), np.ones((1, 1, 8, 8)))
    return torch.from_numpy((255 * coarse).astype("float32"))


def sequence(name, seed):
    """Frames in which a square moves to the right and down."""
    rng = np.random.RandomState(seed)
    os.makedirs(name, exist_ok=True)
    ground = cv2.resize(rng.randint(0, 120, (12, 16, 3)).astype("uint8"), (160, 120))
    square = cv2.resize(rng.randint(120, 255, (4, 4, 3)).astype("uint8"), (32, 28))
    files, boxes = [], []
    for number in range(3):
        left, top = 30 + 9 * number, 40 + 5 * number
        frame = ground.copy()
        frame[top : top + 28, left : left + 32] = square
        files.append(f"{name}/{number}.png")
        boxes.append([left, top, 32, 28])
        cv2.imwrite(files[-1], frame)
    return files, np.array(boxes, dtype="float32")


def losses():
    rng = np.random.RandomState(3)
    scores = torch.from_numpy(rng.randn(2, 1, 17, 17).astype("float32"))
    labels = torch.from_numpy((rng.rand(2, 1, 17, 17) < 0.2).astype("float32"))
    weighted = GHMCLoss()
    kinds = (BalancedLoss(0.5), FocalLoss(), weighted, weighted, GHMCLoss(bins=10, momentum=0), OHNMLoss())
    return [kind(scores, labels) for kind in kinds]


def tracked(tracker):
    files, boxes = sequence("tracked", 5)
    found, _ = tracker.track(files, boxes[0])
    return found


def forward(net, second, third):
    for one in (net, second, third):
        one.eval()
    exemplar, search = images(1, 2, 128), images(2, 2, 256)
    return {
        "response": net(exemplar, search),
        "second": lambda: second(exemplar),
        "third": lambda: third(exemplar),
        "scales": lambda: net.head(net.backbone(exemplar[:1]), net.backbone(search)),
        "losses": lambda: losses(),
        "labels": lambda: trackers[-1]._create_labels((2, 1, 15, 15)),
        "tracked": lambda: tracked(trackers[-1]),
    }


def train(net, second, third):
    tracker = trackers[-1]
    before = [tracker.train_step((images(7, 2, 128), images(8, 2, 256)), backward=False)]
    before.append(tracker.train_step((images(7, 2, 128), images(8, 2, 256))))
    np.random.seed(11)
    tracker.train_over([sequence(f"seen{number}", number) for number in range(4)], save_dir="kept")
    again = TrackerSiamFC("kept/siamfc_alexnet_e2.pth")
    return {
        "losses": before,
        "rate": tracker.optimizer.param_groups[0]["lr"],
        "after": tracker.train_step((images(7, 2, 128), images(8, 2, 256)), backward=False),
        "first": again.net.backbone.conv1[0].weight,
        "mean": again.net.backbone.conv2[1].running_mean,
        "last": net.backbone.conv5[0].bias,
    }


def init():
    net = TrackerSiamFC().net
    return {"conv": net.backbone.conv2[0].weight, "last": net.backbone.conv5[0].weight}
