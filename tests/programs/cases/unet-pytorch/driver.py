import os

import numpy as np
import torch
import torch.optim as optim
from PIL import Image
from torch.utils.data import DataLoader

from nets import unet_training
from nets.unet import Unet
from utils.dataloader import UnetDataset, unet_dataset_collate
from utils.utils import get_lr
from utils.utils_fit import fit_one_epoch, fit_one_epoch_no_val
from utils.utils_metrics import f_score

SIZE, CLASSES = [32, 32], 2
rng = np.random.RandomState(0)
for folder in ("JPEGImages", "SegmentationClass"):
    os.makedirs(f"VOCdevkit/VOC2007/{folder}", exist_ok=True)
for number in range(4):
    image = Image.fromarray(rng.randint(0, 256, (24, 32, 3)).astype("uint8"))
    image.save(f"VOCdevkit/VOC2007/JPEGImages/{number}.jpg", format="PNG")
    label = Image.fromarray(rng.choice([0, 1, 255], (24, 32)).astype("uint8"))
    label.save(f"VOCdevkit/VOC2007/SegmentationClass/{number}.png")


def loader():
    dataset = UnetDataset([str(number) for number in range(4)], SIZE, CLASSES, False, "VOCdevkit")
    return DataLoader(dataset, shuffle=False, batch_size=2, drop_last=True, collate_fn=unet_dataset_collate)


def build():
    return Unet(num_classes=CLASSES, backbone="vgg"), Unet(num_classes=CLASSES, backbone="resnet50")


def init():
    torch.manual_seed(1)
    net = build()[0]
    vgg = net.vgg.features[2].weight.detach().clone()
    unet_training.weights_init(net)
    return {"vgg": vgg, "conv": net.up_concat1.conv1.weight}


def forward(vgg, resnet):
    vgg.eval()
    resnet.eval()
    imgs, pngs, labels = next(iter(loader()))
    outputs = vgg(imgs)
    weights = torch.tensor([1.0, 2.0])
    return {
        "images": imgs,
        "labels": [pngs, labels],
        "vgg": outputs,
        "resnet": lambda: resnet(imgs),
        "ce": lambda: unet_training.CE_Loss(outputs, pngs, weights, CLASSES),
        "focal": lambda: unet_training.Focal_Loss(outputs, pngs, weights, CLASSES),
        "dice": lambda: unet_training.Dice_loss(outputs, labels),
        "score": lambda: f_score(outputs, labels),
        "resized": lambda: unet_training.CE_Loss(outputs[:, :, ::2, ::2], pngs, weights, CLASSES),
    }


class History:
    """Stands for the one that draws the losses."""

    def __init__(self):
        self.losses, self.val_loss = [], []

    def append_loss(self, epoch, loss, val_loss=None):
        self.losses.append(loss)
        self.val_loss.append(val_loss)

    def on_epoch_end(self, epoch, model):
        pass


def train(vgg, resnet):
    os.makedirs("logs", exist_ok=True)
    weights = np.ones([CLASSES], np.float32)
    history = History()
    optimizer = optim.SGD(vgg.parameters(), 1e-4, momentum=0.9, nesterov=True, weight_decay=1e-4)
    schedule = unet_training.get_lr_scheduler("cos", 1e-4, 1e-6, 3)
    rates = []
    vgg.freeze_backbone()
    for epoch in range(2):
        if epoch == 1:
            vgg.unfreeze_backbone()
        unet_training.set_optimizer_lr(optimizer, schedule, epoch)
        rates.append(get_lr(optimizer))
        fit_one_epoch(
            vgg, vgg, history, history, optimizer, epoch, 2, 1, loader(), loader(), 2, False, epoch == 1, epoch == 0,
            weights, CLASSES, False, None, 1, "logs",
        )  # fmt: skip
    kept = torch.load("logs/best_epoch_weights.pth")
    second = History()
    sgd = optim.SGD(resnet.parameters(), 1e-5, momentum=0.9, nesterov=True, weight_decay=1e-4)
    fit_one_epoch_no_val(
        resnet,
        resnet,
        second,
        sgd,
        0,
        2,
        loader(),
        2,
        False,
        True,
        False,
        weights,
        CLASSES,
        False,
        None,
        1,
        "logs",
    )
    return {
        "losses": history.losses,
        "val_losses": history.val_loss,
        "rates": rates,
        "backbone": vgg.vgg.features[0].weight,
        "up": vgg.up_concat4.conv1.bias,
        "final": vgg.final.weight,
        "kept": kept["final.weight"],
        "resnet_losses": second.losses,
        "resnet": resnet.resnet.layer1[0].conv1.weight,
        "resnet_norm": resnet.resnet.bn1.running_var,
    }
