import numpy as np
import torch
from torch import optim

import train as training
from hparams import hparams

hparams.override_from_dict(
    {
        "hop_size": 16,
        "out_channels": 3 * 3,
        "layers": 4,
        "stacks": 2,
        "residual_channels": 16,
        "gate_channels": 32,
        "skip_out_channels": 16,
        "cin_channels": 8,
        "cin_pad": 0,
        "max_time_steps": 64,
        "nepochs": 3,
        "clip_thresh": 1,
        "ema_decay": 0.9,
        "lr_schedule": "noam_learning_rate_decay",
    }
)
hparams.upsample_params["upsample_scales"] = [4, 4]
hparams.lr_schedule_kwargs = {"warmup_steps": 4}


class Writer:
    """Keeps what the training loop logs."""

    def __init__(self):
        self.values = {}

    def add_scalar(self, name, value, step):
        self.values.setdefault(name, []).append(float(value))


def build():
    return training.build_model()


def batch(seed):
    rng = np.random.RandomState(seed)
    speech = [
        (rng.uniform(-0.9, 0.9, 64).astype("float32"), rng.rand(4, 8).astype("float32"), None)
        for _ in range(2)
    ]
    return training.collate_fn(speech)


def forward(model):
    model.eval()
    x, y, c, g, _ = batch(0)

    def generated():
        return model.incremental_forward(
            c=c, T=64, test_inputs=x, softmax=False, quantize=False, log_scale_min=hparams.log_scale_min
        )

    out = model(x, c, g, False)
    criterion = training.DiscretizedMixturelogisticLoss()
    return {"out": out, "loss": criterion(out, y, mask=torch.ones(2, 64, 1)), "incremental": generated}


def train(model):
    training.global_step = training.global_test_step = training.global_epoch = 0
    params = hparams.optimizer_params
    optimizer = getattr(optim, hparams.optimizer)(model.parameters(), **params)
    writer = Writer()
    loaders = {"train_no_dev": [batch(1), batch(2)]}
    ema = training.train_loop(
        torch.device("cpu"), model, loaders, optimizer, writer, checkpoint_dir="checkpoints"
    )
    return {
        "losses": writer.values["train_no_dev loss"],
        "gradient_norms": writer.values["gradient norm"],
        "lr": writer.values["learning rate"],
        "weight": model.first_conv.bias,
        "averaged": ema.shadow["first_conv.bias"],
    }
