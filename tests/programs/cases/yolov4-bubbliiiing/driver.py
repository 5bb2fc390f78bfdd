import glob
import os
import tempfile
import types
from functools import partial

import numpy as np
import torch
from PIL import Image

from nets import CSPdarknet, yolo
from nets.yolo_training import YOLOLoss, get_lr_scheduler, set_optimizer_lr, weights_init
from utils.dataloader import YoloDataset, yolo_dataset_collate
from utils.utils import get_anchors, get_lr, resize_image, seed_everything, worker_init_fn
from utils.utils_bbox import DecodeBox
from utils.utils_fit import fit_one_epoch

MASK = [[6, 7, 8], [3, 4, 5], [0, 1, 2]]
ANCHORS = [[12, 16], [19, 36], [40, 28], [36, 75], [76, 55], [72, 146], [142, 110], [192, 243], [459, 401]]
ANCHORS = np.array(ANCHORS) / 4.0
CLASSES, SIZE = 3, 96


def small(pretrained):
    return CSPdarknet.CSPDarkNet([1, 1, 1, 1, 1])


def build():
    yolo.darknet53 = small
    return (yolo.YoloBody(MASK, CLASSES),)


def init():
    seed_everything(3)
    net = small(False)
    first = net.stages[1].downsample_conv.conv.weight.detach().clone()
    weights_init(net)
    other = small(False)
    weights_init(other, "kaiming")
    return {
        "first": first,
        "normal": net.stages[2].downsample_conv.conv.weight,
        "norm": net.stages[2].downsample_conv.bn.weight,
        "kaiming": other.stages[2].downsample_conv.conv.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def targets(seed, *rows):
    draw = np.random.RandomState(seed)
    found = []
    for count in rows:
        boxes = np.concatenate([0.2 + 0.6 * draw.rand(count, 2), 0.1 + 0.5 * draw.rand(count, 2)], 1)
        labels = draw.randint(0, CLASSES, (count, 1))
        found.append(torch.from_numpy(np.concatenate([boxes, labels], 1).astype("float32")))
    return found


def criterion(**given):
    return YOLOLoss(ANCHORS, CLASSES, (SIZE, SIZE), False, MASK, **given)


def losses(**given):
    outputs = [0.3 * array(10 + level, 2, 24, side, side) for level, side in enumerate((3, 6, 12))]
    one, total = criterion(**given), []
    for level, output in enumerate(outputs):
        output.requires_grad_()
        loss = one(level, output, targets(1, 3, 0))
        loss.backward()
        total += [loss.detach(), output.grad]
    return total


def decoded(net):
    box = DecodeBox(ANCHORS, CLASSES, (SIZE, SIZE), MASK)
    with torch.no_grad():
        outputs = box.decode_box([0.3 * array(20 + level, 2, 24, side, side) for level, side in enumerate((3, 6, 12))])
    corrected = box.yolo_correct_boxes(np.full((2, 2), 0.5), np.full((2, 2), 0.2), (SIZE, SIZE), (60, 90), True)
    return [*outputs, corrected]


def forward(net):
    net.eval()
    rates = get_lr_scheduler("cos", 0.01, 0.0001, 20), get_lr_scheduler("step", 0.01, 0.0001, 20)
    image = Image.fromarray(np.random.RandomState(2).randint(0, 255, (40, 60, 3)).astype("uint8"))
    with torch.no_grad():
        found = {"outputs": lambda: list(net(array(1, 2, 3, SIZE, SIZE)))}
    return {
        **found,
        "ciou": losses,
        "siou": lambda: losses(iou_type="siou", focal_loss=True),
        "smooth": lambda: criterion().smooth_labels(array(3, 2, 3), 0.1, CLASSES),
        "iou": lambda: criterion().calculate_iou(targets(4, 3)[0][:, :4], targets(5, 4)[0][:, :4]),
        "decoded": lambda: decoded(net),
        "rates": lambda: [rate(epoch) for rate in rates for epoch in (0, 2, 7, 19)],
        "resized": lambda: [np.asarray(resize_image(image, (32, 32), kept)).mean() for kept in (True, False)],
    }


def written(folder, rows=4):
    lines = []
    for row in range(rows):
        pixels = np.random.RandomState(row).randint(0, 255, (80, 100, 3)).astype("uint8")
        Image.fromarray(pixels).save(f"{folder}/{row}.png")
        boxes = [f"{5 + row},{8 + 3 * one},{60 + row},{40 + 20 * one},{one}" for one in range(1 + row % 2)]
        lines.append(f"{folder}/{row}.png " + " ".join(boxes))
    with open(f"{folder}/anchors.txt", "w") as file:
        file.write(", ".join(str(size) for size in ANCHORS.reshape(-1)))
    return lines


class History:
    """What callbacks.py keeps, without its plots."""

    def __init__(self):
        self.losses, self.val_loss = [], []

    def append_loss(self, epoch, loss, val_loss):
        self.losses.append(loss)
        self.val_loss.append(val_loss)


def train(net):
    history, results = History(), {}
    groups = [], [], []
    for name, one in net.named_modules():
        if hasattr(one, "bias") and isinstance(one.bias, torch.nn.Parameter):
            groups[2].append(one.bias)
        if isinstance(one, torch.nn.BatchNorm2d) or "bn" in name:
            groups[0].append(one.weight)
        elif hasattr(one, "weight") and isinstance(one.weight, torch.nn.Parameter):
            groups[1].append(one.weight)
    optimizer = torch.optim.SGD(groups[0], 1e-6, momentum=0.9, nesterov=True)
    optimizer.add_param_group({"params": groups[1], "weight_decay": 5e-4})
    optimizer.add_param_group({"params": groups[2]})
    results["groups"] = [len(group["params"]) for group in optimizer.param_groups]
    with tempfile.TemporaryDirectory() as folder:
        lines = written(folder)
        anchors, count = get_anchors(f"{folder}/anchors.txt")
        data = YoloDataset(lines, (SIZE, SIZE), CLASSES, 3, False, False, 0, 0, train=False)
        loader = torch.utils.data.DataLoader(
            data, shuffle=False, batch_size=2, num_workers=0, pin_memory=True, drop_last=True,
            collate_fn=yolo_dataset_collate, worker_init_fn=partial(worker_init_fn, rank=0, seed=11),
        )  # fmt: skip
        rate = get_lr_scheduler("cos", 1e-6, 1e-8, 3)
        loss = YOLOLoss(anchors, CLASSES, (SIZE, SIZE), False, MASK)
        callback = types.SimpleNamespace(on_epoch_end=lambda epoch, model: None)
        rates = []
        for epoch in range(2):
            np.random.seed(4)
            set_optimizer_lr(optimizer, rate, epoch)
            rates.append(get_lr(optimizer))
            fit_one_epoch(net, net, loss, history, callback, optimizer, epoch, 2, 1, loader, loader, 2, False, False, None,
                          1, folder)  # fmt: skip
        results["rates"], results["losses"], results["validated"] = rates, history.losses, history.val_loss
        results["kept"] = len(glob.glob(os.path.join(folder, "*.pth")))
        kept = torch.load(os.path.join(folder, "last_epoch_weights.pth"))
        fresh = yolo.YoloBody(MASK, CLASSES)
        state = fresh.state_dict()
        fits = {name: value for name, value in kept.items() if name in state and state[name].shape == value.shape}
        state.update(fits)
        fresh.load_state_dict(state)
        results["loaded"] = [value.mean() for value in fresh.eval()(array(6, 1, 3, SIZE, SIZE))]
    return {
        **results,
        "first": net.backbone.conv1.conv.weight,
        "norm": net.backbone.stages[1].concat_conv.bn.weight,
        "mean": net.backbone.stages[3].downsample_conv.bn.running_mean,
        "head": net.yolo_head3[1].weight,
        "bias": net.yolo_head1[1].bias,
    }
