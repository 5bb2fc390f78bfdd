import logging

import numpy as np
import torch
import train as program
from pytorch_image_classification import (
    create_loss,
    create_model,
    create_optimizer,
    create_scheduler,
    get_default_config,
    update_config,
)
from pytorch_image_classification.utils import DummyWriter

SIZE, BATCH = 32, 6


def config(name, optimizer, options=()):
    made = get_default_config()
    made.model.name = name
    made.merge_from_list(
        [
            *("train.optimizer", optimizer, "train.base_lr", 0.01, "train.subdivision", 2, "train.log_period", 1),
            *("scheduler.epochs", 4, "scheduler.type", "cosine", "scheduler.warmup.type", "linear"),
            *("scheduler.warmup.epochs", 1, "train.no_weight_decay_on_bn", True, "train.use_tensorboard", False),
            *("model.se_resnet_preact.depth", 8, "model.se_resnet_preact.se_reduction", 4),
            *("model.shake_shake.depth", 8, "model.shake_shake.initial_channels", 8),
            *("model.shake_shake.shake_forward", False, "model.shake_shake.shake_backward", False),
            *("model.densenet.depth", 10, "model.pyramidnet.depth", 11, "model.pyramidnet.alpha", 12),
            *("model.wrn.depth", 10, "model.wrn.widening_factor", 1, "model.resnext.depth", 11),
            *options,
        ]
    )
    return update_config(made)


SE = config("se_resnet_preact", "sgd", ("train.gradient_clip", 5.0, "augmentation.use_label_smoothing", True))
SHAKE = config("shake_shake", "lars", ("augmentation.use_mixup", True))


def build():
    return create_model(SE), create_model(SHAKE)


def batch(seed):
    random = np.random.RandomState(seed)
    images = torch.from_numpy(random.randn(BATCH, 3, SIZE, SIZE).astype("float32"))
    return images, torch.from_numpy(random.randint(0, 10, BATCH))


def mixed(seed):
    images, targets = batch(seed)
    order = torch.tensor([3, 4, 5, 0, 1, 2])
    return images * 0.6 + images[order] * 0.4, (targets, targets[order], 0.6)


def output(name):
    made = create_model(config(name, "sgd")).eval()
    return list(made(batch(3)[0]).shape), len(list(made.parameters()))


def forward(se, shake):
    images, _ = batch(0)
    return {
        "se": se.eval()(images),
        "shake": shake.eval()(images),
        "others": lambda: [
            str(output(name)) == "([6, 10], " + str(output(name)[1]) + ")" for name in ("densenet", "pyramidnet", "wrn", "resnext")
        ],
    }


class Kept(DummyWriter):
    def __init__(self):
        super().__init__()
        self.kept = []

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None):
        if "Time" not in tag:
            self.kept.append(float(scalar_value))


def epochs(given, model, loader):
    logger = logging.getLogger("small")
    optimizer = create_optimizer(given, model)
    scheduler = create_scheduler(given, optimizer, steps_per_epoch=len(loader(0)))
    loss_func, validation_loss = create_loss(given)
    writer, other = Kept(), Kept()
    for epoch in range(2):
        program.train(epoch, given, model, optimizer, scheduler, loss_func, loader(epoch), logger, writer, other)
        program.validate(epoch, given, model, validation_loss, [batch(9)], logger, writer)
    return writer.kept, other.kept


def train(se, shake):
    first = epochs(SE, se, lambda epoch: [batch(2 * epoch + 1), batch(2 * epoch + 2)])
    second = epochs(SHAKE, shake, lambda epoch: [mixed(2 * epoch + 1), mixed(2 * epoch + 2)])
    return {
        "se_losses": list(first[0]),
        "se_running": list(first[1]),
        "shake_losses": list(second[0]),
        "shake_running": list(second[1]),
        "se_weight": list(se.parameters())[0],
        "shake_weight": shake.fc.weight,
        "path": shake.stage2.block1.residual_path2.conv1.weight,
    }


def init():
    net = create_model(SE)
    return {"conv": net.conv.weight, "fc": net.fc.weight}
