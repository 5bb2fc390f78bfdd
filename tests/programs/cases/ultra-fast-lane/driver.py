import os
import random
import sys
import tempfile

import numpy as np
import torch
import train as script
from data.constant import culane_row_anchor, tusimple_row_anchor
from data.dataloader import get_test_loader, get_train_loader
from data.mytransforms import DeNormalize, find_start_pos
from evaluation.eval_wrapper import generate_lines, generate_tusimple_lines
from model.model import parsingNet
from PIL import Image
from utils.common import merge_config, save_model
from utils.factory import get_loss_dict, get_metric_dict, get_optimizer, get_scheduler
from utils.loss import OhemCELoss
from utils.metrics import Metric_mIoU

GRIDS = 20


class Logger:
    """Keeps what a summary writer would write."""

    def __init__(self):
        self.losses, self.rates = [], []

    def add_scalar(self, name, value, global_step=None):
        """Metrics count places, so they jump."""
        if name.startswith("loss/"):
            self.losses.append(float(value))
        elif name == "meta/lr":
            self.rates.append(float(value))


def made_up():
    """A folder like TuSimple's: pictures, drawn lanes, and their lists."""
    folder = tempfile.mkdtemp()
    rng = np.random.RandomState(0)
    os.makedirs(os.path.join(folder, "list"))
    with (
        open(os.path.join(folder, "train_gt.txt"), "w") as listed,
        open(os.path.join(folder, "test.txt"), "w") as tests,
    ):
        for number in range(4):
            picture = np.kron(rng.randint(0, 255, (9, 16, 3)), np.ones((20, 20, 1))).astype("uint8")
            label = np.zeros((180, 320), "uint8")
            for lane in range(1, 4):
                for row in range(60, 180):
                    column = 60 * lane + (row - 60) // (lane + 1)
                    label[row, column : column + 6] = lane
            Image.fromarray(picture).save(os.path.join(folder, f"{number}.jpg"))
            Image.fromarray(label).save(os.path.join(folder, f"{number}.png"))
            listed.write(f"/{number}.jpg /{number}.png\n")
            tests.write(f"{number}.jpg\n")
    return folder


def configuration(*options):
    """What the command line makes of a file of settings."""
    arguments, sys.argv = sys.argv, ["train.py", "configs/tusimple.py", "--griding_num", str(GRIDS), *options]
    try:
        return merge_config()[1]
    finally:
        sys.argv = arguments


def build():
    aux = parsingNet(pretrained=False, backbone="18", cls_dim=(GRIDS + 1, 56, 4), use_aux=True)
    plain = parsingNet(pretrained=False, backbone="34", cls_dim=(GRIDS + 1, 18, 4), use_aux=False)
    return aux, plain


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(1, 3, 288, 800).astype("float32"))


def loaded():
    folder = made_up()
    np.random.seed(1)
    random.seed(1)
    loader, lanes = get_train_loader(2, folder, GRIDS, "Tusimple", True, False, 4)
    tests = get_test_loader(2, folder, "Tusimple", False)
    batches = [one.float() for batch in loader for one in batch]
    names = [float(name.split(".")[0]) for _, group in tests for name in group]
    return [*batches, np.array([lanes, len(loader), *names])]


def lines(net):
    with torch.no_grad():
        out = net(images(3))
    folder = tempfile.mkdtemp()
    generate_lines(out[:1], (288, 800), ["0.jpg"], folder, GRIDS, localization_type="rel", flip_updown=True)
    with open(os.path.join(folder, "0.lines.txt")) as file:
        found = [float(word) for word in file.read().split()]
    return [
        np.array(generate_tusimple_lines(out[0], (288, 800), GRIDS), "float64"),
        np.array(found[:4] or [0.0]),
    ]


def measured():
    rng = np.random.RandomState(4)
    scores = torch.from_numpy(rng.randn(2, 5, 6, 7).astype("float32"))
    labels = torch.from_numpy(rng.randint(0, 5, (2, 6, 7)))
    iou = Metric_mIoU(5)
    iou.update(torch.argmax(scores, 1), labels)
    denormalised = DeNormalize([0.1, 0.2], [0.5, 0.25])(
        torch.from_numpy(rng.randn(2, 3, 3).astype("float32"))
    )
    anchors = np.array([find_start_pos(culane_row_anchor, 170), len(tusimple_row_anchor)])
    return [
        OhemCELoss(0.7, 10)(scores, labels),
        np.array(iou.get()),
        np.array(iou.get_acc()),
        denormalised,
        anchors,
    ]


def forward(aux, plain):
    aux.eval()
    plain.eval()
    return {
        "aux": lambda: list(aux(images(1))),
        "plain": lambda: plain(images(2)),
        "lines": lambda: lines(plain),
        "measured": measured,
        "loaded": loaded,
    }


def trained(net, *options):
    """What the script's main block does with a net."""
    cfg = configuration("--batch_size", "2", "--epoch", "2", *options)
    np.random.seed(2)
    random.seed(2)
    loader, _ = get_train_loader(
        cfg.batch_size, made_up(), cfg.griding_num, cfg.dataset, cfg.use_aux, False, cfg.num_lanes
    )
    optimizer = get_optimizer(net, cfg)
    scheduler = get_scheduler(optimizer, cfg, len(loader))
    metrics, losses, logger = get_metric_dict(cfg), get_loss_dict(cfg), Logger()
    script.train_loader = loader
    folder = tempfile.mkdtemp()
    for epoch in range(cfg.epoch):
        script.train(net, loader, losses, optimizer, scheduler, logger, epoch, metrics, cfg.use_aux)
        save_model(net, optimizer, epoch, folder, False)
    kept = torch.load(os.path.join(folder, "ep001.pth"), map_location="cpu")
    optimizer.load_state_dict(kept["optimizer"])
    rate = optimizer.param_groups[0]["lr"]
    name = "model.layer1.0.conv1.weight"
    return [
        logger.losses,
        logger.rates,
        kept["model"][name],
        dict(net.named_parameters())[name],
        np.array(rate),
    ]


def train(aux, plain):
    sgd = [
        "--optimizer",
        "SGD",
        "--learning_rate",
        "0.001",
        "--scheduler",
        "multi",
        "--steps",
        "1",
        "--shp_loss_w",
        "0.5",
    ]
    return {
        "adam": lambda: trained(aux, "--learning_rate", "0.0001", "--warmup_iters", "2"),
        "sgd": lambda: trained(aux, *sgd, "--warmup", "none", "--num_lanes", "4"),
    }


def init():
    net = build()[0]
    return {
        "linear": net.cls[0].weight,
        "aux": net.aux_header3[0].conv.weight,
        "combine": net.aux_combine[-1].weight,
        "pool": net.pool.weight,
    }
