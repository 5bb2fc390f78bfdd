import argparse
import os
import random
import shutil

import numpy as np
import torch
from PIL import Image
from torch import nn

import scripts.train as program
from core.models.cgnet import CGNet
from core.models.danet import _DAHead
from core.models.encnet import EncModule
from core.models.enet import ENet
from core.models.lednet import LEDNet
from core.utils.logger import setup_logger
from core.utils.loss import EncNetLoss, ICNetLoss
from core.utils.lr_scheduler import LRScheduler
from core.utils.score import SegmentationMetric

CLASSES, SIZE = 21, 64
NORM = {"norm_layer": nn.BatchNorm2d}


def build():
    return (
        CGNet(CLASSES, M=2, N=2, **NORM), LEDNet(CLASSES, **NORM), ENet(CLASSES, **NORM), _DAHead(64, 5, **NORM),
        EncModule(16, 5, ncodes=4, **NORM),
    )  # fmt: skip


def init():
    torch.manual_seed(1)
    net, encoding = CGNet(CLASSES, M=2, N=3, **NORM), EncModule(32, 5, ncodes=500, **NORM)
    return {
        "stage": net.stage2_0.f_sur.conv.weight,
        "slope": net.stage2_0.prelu.weight,
        "head": net.head[1].weight,
        "codes": encoding.encoding[3].codewords,
        "scale": encoding.encoding[3].scale,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def labels(seed, *shape, classes=CLASSES):
    return torch.from_numpy(np.random.RandomState(seed).randint(-1, classes, shape))


def scored():
    metric = SegmentationMetric(5)
    metric.update(array(9, 2, 5, 8, 8), labels(9, 2, 8, 8, classes=5))
    metric.update([array(10, 1, 5, 8, 8)], [labels(10, 1, 8, 8, classes=5)])
    return metric.get()


def rates():
    schedule = LRScheduler("poly", base_lr=0.1, nepochs=3, iters_per_epoch=4, warmup_epochs=1)
    found = []
    for step in range(12):
        schedule.update(step)
        found.append(schedule.learning_rate)
    return found


def forward(cgnet, lednet, enet, attention, encoding):
    for net in (cgnet, lednet, enet, attention, encoding):
        net.eval()
    target = labels(6, 2, 8, 8, classes=5).clamp(min=0)
    return {
        "cgnet": lambda: cgnet(array(0, 2, 3, SIZE, SIZE))[0],
        "lednet": lambda: lednet(array(1, 1, 3, SIZE, SIZE))[0],
        "enet": lambda: enet(array(2, 1, 3, SIZE, SIZE))[0],
        "attention": lambda: torch.cat(attention(array(3, 2, 64, 8, 8)), 1),
        "encoded": lambda: encoding(array(4, 2, 16, 6, 6))[0],
        "classes": lambda: encoding(array(4, 2, 16, 6, 6))[1],
        "encloss": lambda: EncNetLoss(nclass=5)((array(5, 2, 5, 8, 8), array(6, 2, 5)), target)["loss"],
        "icloss": lambda: ICNetLoss(5)(tuple(array(7 + i, 2, 5, n, n) for i, n in enumerate((8, 4, 4, 2))), target)["loss"],
        "scored": scored,
        "rates": rates,
    }


def voc(root):
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("SegmentationClass", "JPEGImages", "ImageSets/Segmentation"):
        os.makedirs(f"{root}/VOC2012/{folder}")
    for row in range(6):
        draw = np.random.RandomState(row)
        image = Image.fromarray(draw.randint(0, 256, (9, 11, 3)).astype("uint8")).resize((90, 80), Image.BICUBIC)
        mask = draw.randint(0, CLASSES, (8, 9)).astype("uint8").repeat(10, 0).repeat(10, 1)
        mask[:3] = 255
        image.save(f"{root}/VOC2012/JPEGImages/{row}.jpg")
        Image.fromarray(mask).save(f"{root}/VOC2012/SegmentationClass/{row}.png")
    for split, rows in (("train", range(4)), ("val", range(4, 6))):
        with open(f"{root}/VOC2012/ImageSets/Segmentation/{split}.txt", "w") as file:
            file.write("".join(f"{row}\n" for row in rows))


def trainer(model, net, warmup):
    args = argparse.Namespace(
        model=model, backbone="", dataset="pascal_voc", base_size=80, crop_size=SIZE, workers=0, jpu=False,
        use_ohem=False, aux=False, aux_weight=0.4, batch_size=2, start_epoch=0, epochs=2, lr=1e-3, momentum=0.9,
        weight_decay=1e-4, warmup_iters=warmup, warmup_factor=1.0 / 3, warmup_method="linear", local_rank=0, resume=None,
        save_dir="models", save_epoch=1, log_dir="logs", log_iter=1, val_epoch=1, skip_val=False, num_gpus=1,
        distributed=False, device="cpu",
    )  # fmt: skip
    program.get_segmentation_model = lambda **settings: net
    return program.Trainer(args)


def train(cgnet, lednet, enet, attention, encoding):
    folder = os.getcwd()
    os.makedirs("runs/here", exist_ok=True)
    os.chdir("runs/here")
    try:
        voc("../datasets/voc")
        program.logger = setup_logger("semantic_segmentation", "logs", 0, filename="log.txt")
        results = {}
        for warmup in (0, 2):
            random.seed(4)
            one = trainer("cgnet", cgnet, warmup)
            one.train()
            results[f"best_{warmup}"] = one.best_pred
            results[f"rates_{warmup}"] = [group["lr"] for group in one.optimizer.param_groups]
        saved = torch.load("models/cgnet__pascal_voc.pth")
        names = len(os.listdir("models"))
    finally:
        os.chdir(folder)
    return {
        **results,
        "stage": cgnet.stage2[0].conv.conv.weight,
        "slope": cgnet.bn_prelu2.prelu.weight,
        "norm": cgnet.stage3_0.bn.running_var,
        "slopes": cgnet.stage1_2.prelu.weight,
        "saved": saved["stage3_0.f_glo.fc.0.weight"],
        "names": names,
    }
