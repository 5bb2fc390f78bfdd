import os
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))

import models  # noqa: E402
import models.pose_resnet  # noqa: E402
from core.config import config  # noqa: E402
from core.evaluate import accuracy  # noqa: E402
from core.function import train as train_epoch  # noqa: E402
from core.function import validate  # noqa: E402
from core.inference import get_final_preds  # noqa: E402
from core.loss import JointsMSELoss  # noqa: E402
from utils.utils import get_optimizer, save_checkpoint  # noqa: E402

JOINTS, SIZE = 4, 64
config.MODEL.NUM_JOINTS = JOINTS
config.MODEL.IMAGE_SIZE = np.array([SIZE, SIZE])
config.MODEL.EXTRA.NUM_LAYERS = 18
config.MODEL.EXTRA.NUM_DECONV_FILTERS = [16, 16, 16]
config.MODEL.EXTRA.HEATMAP_SIZE = np.array([SIZE // 4, SIZE // 4])
config.TRAIN.OPTIMIZER = "sgd"
config.TRAIN.LR = 0.01
config.TRAIN.LR_STEP = [1, 2]
config.TEST.FLIP_TEST = True
config.PRINT_FREQ = 1


def build():
    return eval("models." + config.MODEL.NAME + ".get_pose_net")(config, is_train=False)


def batch(seed, count=4):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(count, 3, SIZE, SIZE).astype("float32"))
    grid = np.mgrid[: SIZE // 4, : SIZE // 4]
    centres = random.uniform(3, 12, (count, JOINTS, 2, 1, 1))
    target = np.exp(-((grid - centres) ** 2).sum(2) / 8).astype("float32")
    weight = (random.rand(count, JOINTS, 1) > 0.2).astype("float32")
    meta = {
        "center": torch.from_numpy(random.uniform(20, 40, (count, 2))),
        "scale": torch.from_numpy(random.uniform(0.2, 0.4, (count, 2))),
        "score": torch.from_numpy(random.rand(count)),
        "image": [f"{seed}-{one}.png" for one in range(count)],
    }
    return images, torch.from_numpy(target), torch.from_numpy(weight), meta


class Pictures:
    flip_pairs = [[0, 1], [2, 3]]

    def __len__(self):
        return 4

    def evaluate(self, config, predictions, output_dir, boxes, images, *others):
        self.kept = [float(predictions[:, :, 2].sum()), float(boxes[:, 4].sum()), len(images)]
        return {"Mean": self.kept[0]}, self.kept[0]


class Writer:
    def __init__(self):
        self.kept = []

    def add_scalar(self, name, value, step):
        self.kept.append(float(value))

    def add_scalars(self, name, values, step):
        self.kept += [float(value) for value in values.values()]


def forward(net):
    net.eval()
    images, target, weight, meta = batch(0)
    output = net(images)
    maps = target.numpy()
    return {
        "output": output,
        "loss": lambda: JointsMSELoss(True)(output, target, weight),
        "unweighted": lambda: JointsMSELoss(False)(output, target, weight),
        "accuracy": lambda: accuracy(maps, batch(1)[1].numpy())[0],
        "final": lambda: get_final_preds(config, maps, meta["center"].numpy(), meta["scale"].numpy())[0],
    }


def train(net):
    writer = Writer()
    writers = {"writer": writer, "train_global_steps": 0, "valid_global_steps": 0}
    criterion = JointsMSELoss(use_target_weight=config.LOSS.USE_TARGET_WEIGHT)
    optimizer = get_optimizer(config, net)
    lr_scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, config.TRAIN.LR_STEP, config.TRAIN.LR_FACTOR)
    pictures = Pictures()
    for epoch in range(2):
        lr_scheduler.step()
        train_epoch(config, [batch(2 * epoch + 1), batch(2 * epoch + 2)], net, criterion, optimizer, epoch, "", "", writers)
        perf = validate(config, [batch(9)], pictures, net, criterion, "", "", writers)
    save_checkpoint(
        {"epoch": 2, "state_dict": net.state_dict(), "perf": perf, "optimizer": optimizer.state_dict()}, True, "."
    )
    best = torch.load("model_best.pth.tar")
    return {
        "written": writer.kept,
        "evaluated": pictures.kept,
        "rate": optimizer.param_groups[0]["lr"],
        "first": net.conv1.weight,
        "deconv": net.deconv_layers[3].weight,
        "last": best["final_layer.weight"],
    }


def init():
    """As from a checkpoint of another net, whose weights stay where the names are others."""
    torch.save({"state_dict": {"module.conv1.weight": torch.zeros(64, 3, 7, 7)}}, "pretrained.pth")
    net = build()
    net.init_weights("pretrained.pth")
    return {"deconv": net.deconv_layers[0].weight, "final": net.final_layer.weight}
