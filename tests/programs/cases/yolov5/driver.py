import numpy as np
import torch
import yaml

from models.yolo import Model
from utils.loss import ComputeLoss
from utils.torch_utils import ModelEMA, smart_optimizer


def boxes(seed):
    """Each box with the number of its image, its class, its middle and its sizes, of which the smallest fit no anchor of
    the coarse layers."""
    drawn = np.random.RandomState(seed)
    rows = [
        [image, drawn.randint(4), *drawn.uniform(0.2, 0.8, 2), *drawn.uniform(0.1, 0.4, 2)]
        for image in range(2)
        for _ in range(3)
    ]
    return torch.from_numpy(np.array(rows, dtype="float32"))


def images(seed):
    return torch.from_numpy(np.random.RandomState(seed).rand(2, 3, 64, 64).astype("float32"))


def build():
    torch.manual_seed(0)
    model = Model("models/yolov5n.yaml", ch=3, nc=4)
    with open("data/hyps/hyp.scratch-low.yaml") as file:
        model.hyp = yaml.safe_load(file)
    model.nc = 4
    return model


def fused(model):
    copy = build()
    copy.load_state_dict(model.state_dict())
    return copy.eval().fuse()(images(1))[0]


def forward(model):
    model.eval()
    with torch.no_grad():
        found, levels = model(images(1))
    return {"boxes": found, "fine": levels[0], "fused": lambda: fused(model)}


def train(model):
    model.train()
    optimizer = smart_optimizer(model, "SGD", 0.001, 0.9, 5e-4)
    ema, compute_loss = ModelEMA(model), ComputeLoss(model)
    losses = []
    for step in range(3):
        predicted = model(images(2 + step))
        loss, parts = compute_loss(predicted, boxes(step))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
        optimizer.step()
        optimizer.zero_grad()
        ema.update(model)
        losses += [loss.item(), *parts.tolist()]
    return {
        "losses": losses,
        "weight": model.model[-1].m[0].weight,
        "average": ema.ema.model[0].conv.weight,
    }
