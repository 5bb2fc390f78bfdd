import numpy as np
import torch

from yolox.exp import Exp
from yolox.models import IOUloss
from yolox.utils import ModelEMA, bboxes_iou, cxcywh2xyxy
from yolox.utils.model_utils import fuse_model


def small():
    exp = Exp()
    exp.depth, exp.width, exp.num_classes = 0.33, 0.125, 4
    exp.max_epoch, exp.warmup_epochs, exp.no_aug_epochs = 4, 1, 1
    return exp


def build():
    return small().get_model()


def images(seed, count=2):
    return torch.from_numpy((np.random.RandomState(seed).rand(count, 3, 64, 64) * 255).astype("float32"))


def targets(seed, count=2):
    rng = np.random.RandomState(seed)
    labels = np.zeros((count, 5, 5), "float32")
    for image in range(count):
        for box in range(2 + image):
            labels[image, box] = [rng.randint(4), *rng.uniform(16, 48, 2), *rng.uniform(12, 40, 2)]
    return torch.from_numpy(labels)


def boxes(seed, count=6):
    return torch.from_numpy(np.random.RandomState(seed).uniform(10, 40, (count, 4)).astype("float32"))


def fused(model):
    copy = build().eval()
    copy.load_state_dict(model.state_dict())
    return fuse_model(copy)(images(1))


def forward(model):
    model.eval()
    return {
        "pyramid": model.backbone(images(0))[0],
        "decoded": lambda: model(images(0)),
        "fused": lambda: fused(model),
        "iou": lambda: bboxes_iou(boxes(1), boxes(2), xyxy=False),
        "corners": lambda: cxcywh2xyxy(boxes(3).clone()),
        "iou_loss": lambda: IOUloss()(boxes(1), boxes(2)),
        "giou_loss": lambda: IOUloss("mean", "giou")(boxes(1), boxes(2)),
    }


def train(model):
    """The steps of Trainer.train_one_iter, which itself wants a GPU."""
    exp = small()
    exp.model = model
    model.train()
    optimizer = exp.get_optimizer(2)
    scheduler = exp.get_lr_scheduler(0.01, 2)
    average = ModelEMA(model, 0.9998)
    losses, parts, rates = [], [], []
    for step in range(4):
        model.head.use_l1 = step >= 2
        outputs = model(images(step), targets(step))
        loss = outputs["total_loss"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(model)
        rate = scheduler.update_lr(step + 1)
        for param_group in optimizer.param_groups:
            param_group["lr"] = rate
        losses.append(loss.item())
        parts += [float(outputs[name]) for name in ("iou_loss", "conf_loss", "cls_loss", "l1_loss", "num_fg")]
        rates.append(rate)
    return {
        "losses": losses,
        "parts": parts,
        "rates": rates,
        "weight": model.head.cls_preds[0].weight,
        "average": average.ema.head.stems[0].conv.weight,
    }
