from pathlib import Path

import numpy as np
import torch
import yaml
from models.yolo import Model
from torch.optim import lr_scheduler
from utils.loss import ComputeLoss
from utils.torch_utils import ModelEMA, smart_optimizer

CLASSES, SIZE, BATCH = 4, 96, 3


def build():
    """yolov3-tiny, an eighth as wide."""
    cfg = yaml.safe_load(Path("models/yolov3-tiny.yaml").read_text())
    cfg["width_multiple"] = 0.125
    cfg["anchors"] = [[6, 8, 12, 14, 20, 16], [28, 30, 44, 30, 60, 70]]
    return Model(cfg, ch=3, nc=CLASSES)


def hyperparameters(model):
    hyp = yaml.safe_load(Path("data/hyps/hyp.scratch-low.yaml").read_text())
    nl = model.model[-1].nl
    hyp["box"] *= 3 / nl
    hyp["cls"] *= CLASSES / 80 * 3 / nl
    hyp["obj"] *= (SIZE / 640) ** 2 * 3 / nl
    hyp["label_smoothing"] = 0.0
    return hyp


def pictures(seed):
    """Pictures and boxes (picture, class, centre, width and height), as the repository's loader gives them."""
    random = np.random.RandomState(seed)
    imgs = torch.from_numpy(random.randint(0, 256, (BATCH, 3, SIZE, SIZE)).astype("uint8"))
    boxes = np.concatenate(
        [
            np.sort(random.randint(0, BATCH, (7, 1)), axis=0),
            random.randint(0, CLASSES, (7, 1)),
            random.uniform(0.2, 0.8, (7, 2)),
            random.uniform(0.08, 0.6, (7, 2)),
        ],
        axis=1,
    )
    return imgs.float() / 255, torch.from_numpy(boxes.astype("float32"))


def forward(model):
    model.hyp = hyperparameters(model)
    imgs, targets = pictures(0)
    with torch.no_grad():
        model.eval()
        detections, layers = model(imgs)
        loss, loss_items = ComputeLoss(model)(layers, targets)
    return {"detections": detections, "layers": layers, "loss": loss, "loss_items": loss_items}


def train(model):
    hyp = hyperparameters(model)
    model.nc, model.hyp = CLASSES, hyp
    optimizer = smart_optimizer(model, "SGD", hyp["lr0"], hyp["momentum"], hyp["weight_decay"])
    epochs, nw = 3, 2

    def lf(x):
        return (1 - x / epochs) * (1.0 - hyp["lrf"]) + hyp["lrf"]

    scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lf)
    ema = ModelEMA(model)
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    compute_loss = ComputeLoss(model)
    losses, parts = [], []
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        imgs, targets = pictures(1 + epoch)
        if epoch <= nw:
            for j, x in enumerate(optimizer.param_groups):
                low = hyp["warmup_bias_lr"] if j == 0 else 0.0
                x["lr"] = np.interp(epoch, [0, nw], [low, x["initial_lr"] * lf(epoch)])
                if "momentum" in x:
                    x["momentum"] = np.interp(epoch, [0, nw], [hyp["warmup_momentum"], hyp["momentum"]])
        pred = model(imgs)
        loss, loss_items = compute_loss(pred, targets)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        ema.update(model)
        scheduler.step()
        losses.append(loss.item())
        parts += loss_items.tolist()
    return {
        "losses": losses,
        "parts": parts,
        "first": model.model[0].conv.weight,
        "detect": model.model[-1].m[0].weight,
        "average": ema.ema.model[0].conv.weight,
    }


def init():
    net = build()
    return {"first": net.model[2].conv.weight, "biases": net.model[-1].m[0].bias}
