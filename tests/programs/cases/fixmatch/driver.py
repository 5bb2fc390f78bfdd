import argparse
import os

import numpy as np
import torch
from torch import optim
from torch.utils.data import DataLoader, TensorDataset

import train as training
from models.ema import ModelEMA
from models.wideresnet import build_wideresnet


class Writer:
    """Keeps what the training loop logs."""

    def __init__(self):
        self.values = {}

    def add_scalar(self, name, value, step):
        self.values.setdefault(name, []).append(float(value))

    def close(self):
        pass


class Views(torch.utils.data.Dataset):
    """Unlabeled images, weakly and strongly augmented."""

    def __init__(self, seed, size):
        rng = np.random.RandomState(seed)
        self.weak = rng.randn(size, 3, 16, 16).astype("float32")
        self.strong = self.weak + 0.5 * rng.randn(size, 3, 16, 16).astype("float32")

    def __len__(self):
        return len(self.weak)

    def __getitem__(self, index):
        return (self.weak[index], self.strong[index]), -1


def labeled(seed, size):
    rng = np.random.RandomState(seed)
    images = torch.from_numpy(rng.randn(size, 3, 16, 16).astype("float32"))
    return TensorDataset(images, torch.from_numpy(rng.randint(0, 10, size)))


def build():
    return build_wideresnet(depth=10, widen_factor=1, dropout=0, num_classes=10)


def init():
    torch.manual_seed(1)
    model = build_wideresnet(depth=10, widen_factor=2, dropout=0, num_classes=100)
    return {"conv": model.block2.layer[0].conv1.weight, "fc": model.fc.weight}


def forward(model):
    model.eval()
    return {"logits": model(labeled(0, 4).tensors[0])}


def train(model):
    writer = Writer()
    args = argparse.Namespace(
        amp=False,
        world_size=1,
        start_epoch=0,
        epochs=2,
        eval_step=2,
        no_progress=True,
        local_rank=-1,
        device=torch.device("cpu"),
        mu=2,
        T=1,
        threshold=0.1,  # the best of ten classes is always above it
        lambda_u=1.0,
        use_ema=True,
        wdecay=5e-4,
        out="results",
        writer=writer,
    )
    os.makedirs(args.out, exist_ok=True)
    no_decay = ["bias", "bn"]
    grouped_parameters = [
        {
            "params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)],
            "weight_decay": args.wdecay,
        },
        {
            "params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)],
            "weight_decay": 0.0,
        },
    ]
    optimizer = optim.SGD(grouped_parameters, lr=0.03, momentum=0.9, nesterov=True)
    scheduler = training.get_cosine_schedule_with_warmup(optimizer, 0, 8)
    ema_model = ModelEMA(args, model, 0.9)
    training.best_acc = 0
    model.zero_grad()
    training.train(
        args,
        DataLoader(labeled(1, 8), batch_size=4),
        DataLoader(Views(2, 16), batch_size=8),
        DataLoader(labeled(3, 8), batch_size=4),
        model,
        optimizer,
        ema_model,
        scheduler,
    )
    return {
        "losses": writer.values["train/1.train_loss"],
        "losses_x": writer.values["train/2.train_loss_x"],
        "losses_u": writer.values["train/3.train_loss_u"],
        "test_losses": writer.values["test/2.test_loss"],
        "lr": scheduler.get_last_lr(),
        "weight": model.fc.weight,
        "ema": ema_model.ema.fc.weight,
    }
