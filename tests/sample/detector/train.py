"""Training: SGD with warm-up and cosine decay, mixed precision, gradient clipping, moving average of weights."""

import argparse
import copy
import math

import torch
from torch import optim
from torch.optim.lr_scheduler import LambdaLR

from .adversarial import Critic, critic_loss
from .data import make_loader
from .losses import DetectionLoss
from .model import Detector


class MovingAverage:
    """Keeps a slowly following copy of a model."""

    def __init__(self, model, decay=0.999):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.model.state_dict().values(), model.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.mul_(self.decay).add_(theirs.detach(), alpha=1 - self.decay)


def assign(boxes, labels, cells, size, strides=(4, 8, 16)):
    """The cell of the finest level that holds a box's centre answers for the box."""
    batch = boxes.shape[0]
    mask = torch.zeros(batch, cells, dtype=torch.bool, device=boxes.device)
    column, row = (boxes[:, :2] / strides[0]).long().unbind(1)
    index = row * (size // strides[0]) + column
    mask[torch.arange(batch), index] = True
    return boxes[:, None].expand(-1, cells, -1), labels[:, None].expand(-1, cells), mask


def train(epochs=1, device="cpu", checkpoint=None):
    torch.manual_seed(0)
    model = Detector().to(device)
    critic = Critic(64).to(device)
    loss_fn = DetectionLoss(classes=10)
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4, nesterov=True)
    critic_optimizer = optim.Adam(critic.parameters(), lr=1e-4, betas=(0.5, 0.9))
    loader = make_loader()
    total = epochs * len(loader)
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 5) * (1 + math.cos(math.pi * step / total)) / 2)
    scaler = torch.amp.GradScaler(device, enabled=device == "cuda")
    average = MovingAverage(model)
    history = []
    for epoch in range(epochs):
        model.train()
        for images, boxes, labels in loader:
            images, boxes, labels = images.to(device), boxes.to(device), labels.to(device)
            with torch.autocast(device_type=device, enabled=device == "cuda"):
                predictions = model(images)
                loss = loss_fn(predictions, *assign(boxes, labels, predictions.shape[1], images.size(-1)))
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            average.update(model)

            with torch.no_grad():
                real = model.neck(model.backbone(images))[0]
                fake = model.neck(model.backbone(images.flip(-1)))[0]
            critic_optimizer.zero_grad(set_to_none=True)
            critic_loss(critic, real, fake).backward()
            critic_optimizer.step()
            history.append(loss.item())
        print(f"epoch {epoch}: loss {sum(history[-len(loader):]) / len(loader):.4f}")
    if checkpoint:
        torch.save({"model": average.model.state_dict(), "epoch": epochs}, checkpoint)
    return history


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--checkpoint")
    train(**vars(parser.parse_args()))
