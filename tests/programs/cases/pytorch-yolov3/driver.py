import numpy as np
import torch
import torch.optim as optim

from pytorchyolo.models import load_model
from pytorchyolo.utils.loss import compute_loss
from pytorchyolo.utils.utils import to_cpu

MODEL = "config/yolov3-tiny.cfg"


def build():
    return load_model(MODEL)


def init():
    model = load_model(MODEL)
    return {
        "conv": model.module_list[0][0].weight,
        "deep": model.module_list[12][0].weight,
        "norm": model.module_list[12][1].weight,
        "norm_bias": model.module_list[12][1].bias,
    }


def batch(seed):
    """Images, and targets as rows of (image, class, x, y, w, h)."""
    rng = np.random.RandomState(seed)
    imgs = torch.from_numpy(rng.rand(2, 3, 96, 96).astype("float32"))
    boxes = []
    for image in range(2):
        for _ in range(3):
            center, size = rng.uniform(0.2, 0.8, 2), rng.uniform(0.1, 0.6, 2)
            boxes.append([image, rng.randint(80), *center, *size])
    return imgs, torch.from_numpy(np.array(boxes, dtype="float32"))


def forward(model):
    imgs, targets = batch(0)
    model.eval()
    with torch.no_grad():
        detections = model(imgs)
    model.train()
    with torch.no_grad():
        small, large = model(imgs)
    return {"detections": detections, "small": small, "large": large}


def train(model):
    model.train()
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = optim.Adam(
        params,
        lr=model.hyperparams['learning_rate'],
        weight_decay=model.hyperparams['decay'],
    )

    losses, components = [], []
    for batches_done in range(600, 604):
        imgs, targets = batch(batches_done)
        imgs = imgs.to("cpu", non_blocking=True)
        outputs = model(imgs)
        loss, loss_components = compute_loss(outputs, targets, model)
        loss.backward()

        if batches_done % model.hyperparams['subdivisions'] == 0:
            lr = model.hyperparams['learning_rate']
            if batches_done < model.hyperparams['burn_in']:
                # Burn in
                lr *= (batches_done / model.hyperparams['burn_in'])
            else:
                for threshold, value in model.hyperparams['lr_steps']:
                    if batches_done > threshold:
                        lr *= value
            for g in optimizer.param_groups:
                g['lr'] = lr
            optimizer.step()
            optimizer.zero_grad()

        losses.append(to_cpu(loss).item())
        components.append(loss_components)
        model.seen += imgs.size(0)
    return {
        "losses": losses,
        "components": torch.stack(components),
        "conv": model.module_list[0][0].weight,
        "last": model.module_list[22][0].bias,
    }
