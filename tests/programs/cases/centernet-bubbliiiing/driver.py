import os
import shutil

import numpy as np
import torch
from PIL import Image
from torch import nn, optim
from torch.utils.data import DataLoader

from nets.centernet import CenterNet_HourglassNet, CenterNet_Resnet50
from nets.centernet_training import focal_loss, get_lr_scheduler, reg_l1_loss, set_optimizer_lr, weights_init
from utils.dataloader import CenternetDataset, centernet_dataset_collate
from utils.utils import get_lr, preprocess_input, resize_image
from utils.utils_bbox import bbox_iou, decode_bbox, postprocess
from utils.utils_fit import fit_one_epoch

CLASSES, SIZE = 3, 64


def hourglass():
    return CenterNet_HourglassNet(
        {"hm": CLASSES, "wh": 2, "reg": 2}, num_stacks=2, n=2, cnv_dim=16, dims=[256, 24, 32], modules=[1, 2, 1]
    )


def build():
    return CenterNet_Resnet50(num_classes=CLASSES), hourglass()


def init():
    torch.manual_seed(1)
    net = CenterNet_Resnet50(num_classes=CLASSES)
    stacked = hourglass()
    weights_init(stacked)
    return {
        "conv": net.backbone[4][0].conv2.weight,
        "up": net.decoder.deconv_layers[3].weight,
        "head": net.head.cls_head[3].bias,
        "normal": stacked.kps[0].up1[0].conv1.weight,
        "norm": stacked.pre[1].bn2.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def boxes(batch, floor):
    found = postprocess(batch, False, (90, 120), (SIZE, SIZE), True, nms_thres=0.4)
    return [torch.from_numpy(one[np.lexsort(one.T)]) for one in found if one is not None][floor]


def forward(net, stacked):
    net.eval()
    stacked.eval()
    with torch.no_grad():
        hm, wh, offset = net(array(0, 2, 3, SIZE, SIZE))
        heat = torch.sigmoid(array(4, 2, CLASSES, 16, 16))
        sizes, offsets = 3.0 + array(5, 2, 2, 16, 16).abs(), torch.sigmoid(array(6, 2, 2, 16, 16))
        target = torch.clamp(heat.permute(0, 2, 3, 1) * 1.1, max=1.0)
        picture = Image.fromarray(np.random.RandomState(1).randint(0, 256, (20, 30, 3)).astype("uint8"))
        return {
            "hm": hm,
            "wh": wh,
            "offset": offset,
            "stacked": lambda: torch.cat([one[name] for one in stacked(array(1, 1, 3, SIZE, SIZE)) for name in one], 1),
            "boxes": lambda: boxes(decode_bbox(heat, sizes, offsets, 0.6, False), 1),
            "none": lambda: len(decode_bbox(heat, sizes, offsets, 1.5, False)[0]),
            "focal": lambda: focal_loss(heat, target),
            "l1": lambda: reg_l1_loss(sizes, offsets.permute(0, 2, 3, 1), target[..., 0].gt(0.9).float()),
            "iou": lambda: bbox_iou(sizes[0, :, :2].reshape(-1, 4), offsets[0, :, :2].reshape(-1, 4), x1y1x2y2=False),
            "picture": lambda: torch.from_numpy(preprocess_input(resize_image(picture, (24, 24), True)).copy()),
        }


def annotations(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    lines = []
    for row in range(4):
        pixels = np.random.RandomState(row).randint(0, 256, (9, 12, 3)).astype("uint8")
        Image.fromarray(pixels).resize((80, 60), Image.BICUBIC).save(f"{folder}/{row}.png")
        lines.append(f"{folder}/{row}.png 5,6,{30 + row},40,0 {44 - row},10,74,50,{1 + row % 2}")
    return lines


class History:
    """What LossHistory keeps."""

    def __init__(self):
        self.losses, self.val_loss = [], []

    def append_loss(self, epoch, loss, val_loss):
        self.losses.append(loss)
        self.val_loss.append(val_loss)


class Callback:
    def on_epoch_end(self, epoch, model):
        self.epoch = epoch


def train(net, stacked):
    lines = annotations("pictures")
    data = CenternetDataset(lines, (SIZE, SIZE), CLASSES, train=False)
    results = {}
    for name, one, kind in (("resnet50", net, "adam"), ("hourglass", stacked, "sgd")):
        os.makedirs("logs_" + name, exist_ok=True)
        history, callback = History(), Callback()
        model_train = nn.DataParallel(one) if torch.cuda.is_available() else one.train()
        one.freeze_backbone()
        rate = 5e-4 if kind == "adam" else 1e-2
        optimizer = {
            "adam": optim.Adam(one.parameters(), rate, betas=(0.9, 0.999), weight_decay=0),
            "sgd": optim.SGD(one.parameters(), rate, momentum=0.9, nesterov=True, weight_decay=1e-4),
        }[kind]
        schedule = get_lr_scheduler("cos" if kind == "adam" else "step", rate, rate * 0.01, 20)
        rates = []
        for epoch in range(3):
            if epoch == 1:
                one.unfreeze_backbone()
            np.random.seed(epoch)
            gen, gen_val = (
                DataLoader(data, batch_size=2, shuffle=False, drop_last=True, collate_fn=centernet_dataset_collate)
                for _ in range(2)
            )
            set_optimizer_lr(optimizer, schedule, epoch)
            rates.append(get_lr(optimizer))
            fit_one_epoch(
                model_train, one, history, callback, optimizer, epoch, 2, 1, gen, gen_val, 3, False, False, None, name, 2,
                "logs_" + name,
            )  # fmt: skip
        results[name + "_losses"] = history.losses + history.val_loss
        results[name + "_rates"] = rates
        results[name + "_saved"] = len(os.listdir("logs_" + name)) >= 3
    last = torch.load("logs_resnet50/last_epoch_weights.pth", map_location="cpu")
    return {
        **results,
        "backbone": net.backbone[5][0].conv2.weight,
        "decoder": net.decoder.deconv_layers[0].weight[:16],
        "norm": net.decoder.deconv_layers[1].running_mean,
        "slope": net.decoder.deconv_layers[4].weight,
        "stacked": stacked.kps[1].low2.low1[0].conv1.weight,
        "heat": stacked.hm[1][1].bias,
        "last": last["head.wh_head.0.weight"],
    }
