import logging

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

logger = logging.getLogger(__name__)


class Trainer:
    def __init__(self, model, cfg, train_loader, val_loader, device="cpu"):
        self.model = model.to(device)
        self.cfg = cfg
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.device = device
        self.optimizer = self.configure_optimizer()
        self.scheduler = CosineAnnealingLR(self.optimizer, T_max=cfg.epochs * len(train_loader))
        self.best = float("inf")
        self.history = {"train": [], "val": [], "lr": [], "norm": []}

    def configure_optimizer(self):
        decay = [p for n, p in self.model.named_parameters() if p.dim() > 1]
        no_decay = [p for n, p in self.model.named_parameters() if p.dim() <= 1]
        groups = [
            {"params": decay, "weight_decay": self.cfg.weight_decay},
            {"params": no_decay, "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=self.cfg.lr)

    def train_step(self, batch):
        x, y = (t.to(self.device) for t in batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(self.model(x), y, label_smoothing=0.1)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.grad_clip)
        self.optimizer.step()
        self.scheduler.step()
        self.history["norm"].append(norm.item())
        self.history["lr"].append(self.scheduler.get_last_lr()[0])
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total, correct, count = 0.0, 0, 0
        for x, y in self.val_loader:
            logits = self.model(x.to(self.device))
            total += F.cross_entropy(logits, y.to(self.device), reduction="sum").item()
            correct += (logits.argmax(dim=1).cpu() == y).sum().item()
            count += len(y)
        self.model.train()
        return total / count, correct / count

    def fit(self):
        self.model.train()
        for epoch in range(self.cfg.epochs):
            for batch in self.train_loader:
                self.history["train"].append(self.train_step(batch))
            val_loss, accuracy = self.validate()
            self.history["val"].append(val_loss)
            logger.info("epoch %d: %.4f, accuracy %.3f", epoch, val_loss, accuracy)
            if val_loss < self.best:
                self.best = val_loss
                self.save(self.cfg.checkpoint)
        return self.history

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "best": self.best}, path)

    def load(self, path):
        checkpoint = torch.load(path, map_location=self.device)
        self.model.load_state_dict(checkpoint["model"])
        self.best = checkpoint["best"]
