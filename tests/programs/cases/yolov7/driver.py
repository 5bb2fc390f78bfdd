import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
import yaml
from torch.cuda import amp

from models.yolo import Model
from utils.loss import ComputeLoss, ComputeLossOTA
from utils.torch_utils import ModelEMA

CLASSES = 4


def targets(seed):
    """Each box with the number of its image, its class, its middle and its sizes."""
    drawn = np.random.RandomState(seed)
    rows = [
        [image, drawn.randint(CLASSES), *drawn.uniform(0.2, 0.8, 2), *drawn.uniform(0.1, 0.4, 2)]
        for image in range(2)
        for _ in range(3)
    ]
    return torch.from_numpy(np.array(rows, dtype="float32"))


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, 128, 128).astype("float32"))


def narrow(file):
    """The network of a configuration with an eighth of its channels."""
    with open(file) as text:
        cfg = yaml.load(text, Loader=yaml.SafeLoader)
    cfg["width_multiple"] = 0.125
    model = Model(cfg, ch=3, nc=CLASSES)
    with open("data/hyp.scratch.tiny.yaml") as text:
        model.hyp = yaml.load(text, Loader=yaml.SafeLoader)
    model.nc, model.gr = CLASSES, 1.0
    return model


def build():
    torch.manual_seed(0)
    return narrow("cfg/training/yolov7-tiny.yaml"), narrow("cfg/training/yolov7.yaml")


def fused(file, model):
    copy = narrow(file)
    copy.load_state_dict(model.state_dict())
    with torch.no_grad():
        return copy.eval().fuse()(images(1))[0]


def augmented(model):
    with torch.no_grad():
        return model(images(1), augment=True)[0]


def forward(tiny, base):
    tiny.eval(), base.eval()
    with torch.no_grad():
        found, levels = tiny(images(1))
        found_base, _ = base(images(1))
    return {
        "boxes": found,
        "fine": levels[0],
        "base": found_base,
        "fused": lambda: fused("cfg/training/yolov7.yaml", base),
        "augmented": lambda: augmented(tiny),
    }


def parameter_groups(model):
    """As train.py makes them."""
    pg0, pg1, pg2 = [], [], []
    for k, v in model.named_modules():
        if hasattr(v, "bias") and isinstance(v.bias, nn.Parameter):
            pg2.append(v.bias)
        if isinstance(v, nn.BatchNorm2d):
            pg0.append(v.weight)
        elif hasattr(v, "weight") and isinstance(v.weight, nn.Parameter):
            pg1.append(v.weight)
        if hasattr(v, "im"):
            if hasattr(v.im, "implicit"):
                pg0.append(v.im.implicit)
            else:
                for iv in v.im:
                    pg0.append(iv.implicit)
        if hasattr(v, "ia"):
            if hasattr(v.ia, "implicit"):
                pg0.append(v.ia.implicit)
            else:
                for iv in v.ia:
                    pg0.append(iv.implicit)
    return pg0, pg1, pg2


def steps(model, compute_loss, uses_images):
    hyp = model.hyp
    model.train()
    pg0, pg1, pg2 = parameter_groups(model)
    optimizer = optim.SGD(pg0, lr=hyp["lr0"] / 10, momentum=hyp["momentum"], nesterov=True)
    optimizer.add_param_group({"params": pg1, "weight_decay": hyp["weight_decay"]})
    optimizer.add_param_group({"params": pg2})
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda x: (1 - x / 4) * 0.9 + 0.1)
    ema, scaler, losses = ModelEMA(model), amp.GradScaler(enabled=False), []
    for step in range(2):
        for x in optimizer.param_groups:
            x["momentum"] = np.interp(step, [0, 3], [hyp["warmup_momentum"], hyp["momentum"]])
        imgs = images(2 + step)
        with amp.autocast(enabled=False):
            pred = model(imgs)
            if uses_images:
                loss, loss_items = compute_loss(pred, targets(step), imgs)
            else:
                loss, loss_items = compute_loss(pred, targets(step))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        ema.update(model)
        scheduler.step()
        losses += [loss.item(), *loss_items.tolist()]
    ema.update_attr(model, include=["yaml", "nc", "hyp", "gr", "names", "stride"])
    return losses, ema.ema


def train(tiny, base):
    result = {}
    for name, model, kind in (("tiny", tiny, ComputeLoss), ("base", base, ComputeLossOTA)):
        losses, average = steps(model, kind(model), kind is ComputeLossOTA)
        result[name] = losses
        result[name + "_weight"] = model.model[-1].m[0].weight
        result[name + "_implicit"] = model.model[-1].im[0].implicit
        result[name + "_average"] = average.model[0].conv.weight
    return result
