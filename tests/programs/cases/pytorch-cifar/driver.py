import importlib
import os
import sys

import numpy as np
import torch
from PIL import Image

import models

for part, each in (("train", 3), ("test", 1)):
    for label in range(4):
        os.makedirs(f"data/{part}/class{label}", exist_ok=True)
        for number in range(each):
            picture = np.random.RandomState(10 * label + number).randint(0, 256, (32, 32, 3)).astype("uint8")
            Image.fromarray(picture).save(f"data/{part}/class{label}/{number}.png")

PICTURES = torch.from_numpy(np.random.RandomState(0).randn(2, 3, 32, 32).astype("float32"))


def build():
    efficient = {
        "num_blocks": [1, 2], "expansion": [1, 6], "out_channels": [16, 24], "kernel_size": [3, 5], "stride": [1, 2],
        "dropout_rate": 0.0, "drop_connect_rate": 0.0,
    }  # fmt: skip
    return (
        models.RegNetX_200MF(),
        models.LeNet(),
        models.PreActResNet(models.preact_resnet.PreActBlock, [1, 1, 1, 1]),
        models.SENet(models.senet.PreActBlock, [1, 1, 1, 1]),
        models.ShuffleNetV2(net_size=0.5),
        models.MobileNetV2(),
        models.EfficientNet(efficient),
        models.PNASNet(models.pnasnet.CellB, num_cells=1, num_planes=8),
        models.densenet.DenseNet(models.densenet.Bottleneck, [1, 2, 2, 1], growth_rate=6),
        models.VGG("VGG11"),
    )


def forward(*nets):
    outputs = {}
    for net in nets:
        net.eval()
        outputs[type(net).__name__] = lambda net=net: net(PICTURES)
    return outputs


def train(net, *others):
    """The script trains while it is imported: it resumes from the weights given, for two epochs of three batches."""
    os.makedirs("checkpoint", exist_ok=True)
    torch.save({"net": net.state_dict(), "acc": 0.0, "epoch": 0}, "checkpoint/ckpt.pth")
    sys.argv = ["main.py", "--resume", "--lr", "0.001"]
    sys.modules.pop("main", None)
    script = importlib.import_module("main")
    state = script.net.state_dict()
    return {
        "linear": state["linear.bias"],
        "weight": state["linear.weight"],
        "norm": state["layer1.0.bn1.running_mean"],
        "rate": script.optimizer.param_groups[0]["lr"],
    }
