import os

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader

from nets import darknet, yolo, yolo_training
from utils.dataloader import YoloDataset, yolo_dataset_collate
from utils.utils import get_lr
from utils.utils_bbox import DecodeBox
from utils.utils_fit import fit_one_epoch

SIZE, CLASSES = [64, 64], 3
ANCHORS = np.array(
    [[4, 5], [6, 10], [10, 8], [12, 20], [20, 15], [20, 40], [40, 30], [50, 60], [62, 58]], dtype="float64"
)
MASK = [[6, 7, 8], [3, 4, 5], [0, 1, 2]]
# The backbone is that of the repository, with fewer blocks.
yolo.darknet53 = lambda: darknet.DarkNet([1, 1, 1, 1, 1])

rng = np.random.RandomState(0)
os.makedirs("pictures", exist_ok=True)
LINES = []
for number in range(4):
    Image.fromarray(rng.randint(0, 256, (60, 80, 3)).astype("uint8")).save(f"pictures/{number}.png")
    boxes = [f"{5 + 3 * number},{8 + number},{30 + 10 * k + number},{40 + k},{k}" for k in range(2)]
    LINES.append(" ".join([f"pictures/{number}.png", *boxes[: 1 + number % 2]]))


def loader():
    np.random.seed(3)
    dataset = YoloDataset(LINES, SIZE, CLASSES, train=False)
    return DataLoader(dataset, shuffle=False, batch_size=2, drop_last=True, collate_fn=yolo_dataset_collate)


def yolo_loss():
    return yolo_training.YOLOLoss(ANCHORS, CLASSES, SIZE, False, MASK)


def build():
    return yolo.YoloBody(MASK, CLASSES)


def init():
    torch.manual_seed(1)
    net = build()
    yolo_training.weights_init(net)
    return {"conv": net.last_layer0[0].conv.weight, "bn": net.last_layer0[1].bn.weight}


def forward(net):
    net.eval()
    images, targets = next(iter(loader()))
    outputs = net(images)
    criterion = yolo_loss()
    return {
        "images": images,
        "targets": targets,
        "outputs": list(outputs),
        "losses": lambda: [criterion(level, outputs[level], targets) for level in range(3)],
        "decoded": lambda: DecodeBox(ANCHORS, CLASSES, SIZE, MASK).decode_box(outputs),
        "target": lambda: list(
            criterion.get_target(0, targets, [(a / 32, b / 32) for a, b in ANCHORS], 2, 2)
        ),
    }


class History:
    """Stands for the one that draws the losses."""

    def __init__(self):
        self.losses, self.val_loss = [], []

    def append_loss(self, epoch, loss, val_loss):
        self.losses.append(loss)
        self.val_loss.append(val_loss)

    def on_epoch_end(self, epoch, model):
        pass


def train(net):
    history = History()
    pg0, pg1, pg2 = [], [], []
    for k, v in net.named_modules():
        if hasattr(v, "bias") and isinstance(v.bias, torch.nn.Parameter):
            pg2.append(v.bias)
        if isinstance(v, torch.nn.BatchNorm2d) or "bn" in k:
            pg0.append(v.weight)
        elif hasattr(v, "weight") and isinstance(v.weight, torch.nn.Parameter):
            pg1.append(v.weight)
    optimizer = torch.optim.SGD(pg0, 0.001, momentum=0.937, nesterov=True)
    optimizer.add_param_group({"params": pg1, "weight_decay": 5e-4})
    optimizer.add_param_group({"params": pg2})
    schedule = yolo_training.get_lr_scheduler("cos", 0.001, 0.00001, 3)
    rates = []
    os.makedirs("logs", exist_ok=True)
    for param in net.backbone.parameters():
        param.requires_grad = False
    for epoch in range(3):
        if epoch == 1:
            for param in net.backbone.parameters():
                param.requires_grad = True
        yolo_training.set_optimizer_lr(optimizer, schedule, epoch)
        rates.append(get_lr(optimizer))
        fit_one_epoch(
            net,
            net,
            yolo_loss(),
            history,
            history,
            optimizer,
            epoch,
            2,
            1,
            loader(),
            loader(),
            3,
            False,
            False,
            None,
            2,
            "logs",
        )
    kept = torch.load("logs/last_epoch_weights.pth")
    return {
        "losses": history.losses,
        "val_losses": history.val_loss,
        "rates": rates,
        "groups": [len(group["params"]) for group in optimizer.param_groups],
        "backbone": net.backbone.layer2.residual_0.conv1.weight,
        "norm": net.backbone.bn1.running_mean,
        "head": net.last_layer2[6].bias,
        "kept": kept["last_layer0.6.weight"],
    }
