import numpy as np
import torch
import torch.nn as nn

from mobilenetv3 import mobilenetv3_large, mobilenetv3_small


def build():
    return mobilenetv3_small(num_classes=7, width_mult=0.5), mobilenetv3_large(num_classes=5)


def init():
    torch.manual_seed(1)
    net = mobilenetv3_small()
    return {"conv": net.features[4].conv[0].weight, "linear": net.classifier[3].weight}


def images(seed, size):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, 3, 64, 64).astype("float32"))


def forward(small, large):
    small.eval()
    large.eval()
    return {
        "small": small(images(0, 2)),
        "large": lambda: large(images(1, 2)),
        "count": sum(p.numel() for p in small.parameters()),
        "decayed": len([n for n, p in large.named_parameters() if p.dim() > 1 and "conv" in n]),
    }


def train(small, large):
    """The recipe of the README: SGD with momentum, a cosine schedule with five epochs of warm-up; no weight decay on norms."""
    small.classifier[2].p = 0.0
    decayed = [p for p in small.parameters() if p.ndim > 1]
    others = [p for p in small.parameters() if p.ndim <= 1]
    optimizer = torch.optim.SGD(
        [{"params": decayed, "weight_decay": 4e-5}, {"params": others, "weight_decay": 0.0}], lr=0.05, momentum=0.9
    )
    warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5))
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    small.train()
    losses = []
    for step in range(3):
        x, y = images(10 + step, 8), torch.arange(8) % 7
        loss = criterion(small(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(small.parameters(), 5.0)
        optimizer.step()
        warmup.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "lr": [group["lr"] for group in optimizer.param_groups],
        "first": small.features[0][0].weight,
        "last": small.classifier[3].weight,
        "mean": small.features[1].conv[1].running_mean,
    }
