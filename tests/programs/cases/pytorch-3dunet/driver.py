import os

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from pytorch3dunet.unet3d.config import TorchDevice
from pytorch3dunet.unet3d.losses import get_loss_criterion
from pytorch3dunet.unet3d.metrics import get_evaluation_metric
from pytorch3dunet.unet3d.model import get_model
from pytorch3dunet.unet3d.trainer import UNetTrainer
from pytorch3dunet.unet3d.utils import TensorboardFormatter, create_lr_scheduler, create_optimizer


def config():
    return {
        "device": TorchDevice.CPU,
        "model": {
            "name": "UNet3D", "in_channels": 1, "out_channels": 1, "f_maps": 8, "num_levels": 3, "num_groups": 4,
            "layer_order": "gcr", "final_sigmoid": True, "is_segmentation": True,
        },
        "loss": {"name": "BCEDiceLoss", "alpha": 1.0},
        "eval_metric": {"name": "DiceCoefficient"},
        "optimizer": {"name": "Adam", "learning_rate": 0.002, "weight_decay": 0.0001},
        "lr_scheduler": {"name": "MultiStepLR", "milestones": [1, 3], "gamma": 0.5},
    }


class History:
    def __init__(self):
        self.scalars = {}

    def add_scalar(self, tag, value, step):
        self.scalars.setdefault(tag, []).append(value)

    def add_image(self, tag, image, step):
        pass


def volumes(seed, count):
    rng = np.random.RandomState(seed)
    raw = torch.from_numpy(rng.randn(count, 1, 8, 16, 16).astype("float32"))
    label = torch.from_numpy((rng.rand(count, 1, 8, 16, 16) > 0.6).astype("float32"))
    return TensorDataset(raw, label)


def build():
    return get_model(config()["model"])


def forward(model):
    model.eval()
    raw, _ = volumes(0, 2).tensors
    with torch.no_grad():
        output, logits = model(raw, return_logits=True)
    return {"output": output, "logits": logits}


def train(model):
    settings = config()
    optimizer = create_optimizer(settings["optimizer"], model)
    os.makedirs("checkpoints", exist_ok=True)
    trainer = UNetTrainer(
        model=model,
        optimizer=optimizer,
        lr_scheduler=create_lr_scheduler(settings["lr_scheduler"], optimizer),
        loss_criterion=get_loss_criterion(settings),
        eval_criterion=get_evaluation_metric(settings),
        loaders={
            "train": DataLoader(volumes(1, 8), batch_size=2, shuffle=False),
            "val": DataLoader(volumes(2, 2), batch_size=1, shuffle=False),
        },
        checkpoint_dir="checkpoints",
        max_num_epochs=1,
        max_num_iterations=100,
        validate_after_iters=2,
        log_after_iters=1,
        tensorboard_formatter=TensorboardFormatter(),
        device=settings["device"],
    )
    trainer.writer = History()
    trainer.fit()
    scalars = trainer.writer.scalars
    return {
        "losses": scalars["train_loss_avg"],
        "scores": scalars["train_eval_score_avg"],
        "validation": scalars["val_loss_avg"],
        "lr": scalars["learning_rate"],
        "final_conv": model.final_conv.weight,
    }
