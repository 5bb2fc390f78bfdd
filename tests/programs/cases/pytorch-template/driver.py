import argparse
import collections
import os
import sys
import tempfile

import numpy as np
import torch
import torch.nn as nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import data_loader.data_loaders as module_data  # noqa: E402
import model.loss as module_loss  # noqa: E402
import model.metric as module_metric  # noqa: E402
import model.model as module_arch  # noqa: E402
from base import BaseModel  # noqa: E402
from parse_config import ConfigParser  # noqa: E402
from trainer import Trainer  # noqa: E402
from utils import inf_loop, prepare_device, read_json, write_json  # noqa: E402


class SmallModel(BaseModel):
    """The user's own network, without dropout."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 5, stride=2), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(3))
        self.classifier = nn.Linear(4 * 4 * 4, num_classes)

    def forward(self, x):
        x = self.features(x)
        return torch.log_softmax(self.classifier(x.flatten(1)), dim=1)


def write_idx(name, array):
    """MNIST's files hold the type, the number of dimensions and the shape before the bytes."""
    with open(os.path.join("data", "MNIST", "raw", name), "wb") as file:
        file.write(bytes([0, 0, 8, array.ndim]))
        for size in array.shape:
            file.write(int(size).to_bytes(4, "big"))
        file.write(array.astype("uint8").tobytes())


def write_mnist():
    os.makedirs(os.path.join("data", "MNIST", "raw"), exist_ok=True)
    for part, count, seed in (("train", 40, 0), ("t10k", 10, 1)):
        rng = np.random.RandomState(seed)
        write_idx(part + "-images-idx3-ubyte", rng.randint(0, 256, (count, 28, 28)))
        write_idx(part + "-labels-idx1-ubyte", rng.randint(0, 10, count))


def configuration(run, resume=None):
    """config.json as it is, changed by a file and by options of the command line."""
    config = read_json("config.json")
    config["data_loader"]["args"].update(num_workers=0)
    config["trainer"].update(epochs=2, save_dir=tempfile.mkdtemp(prefix=run, dir="."))
    write_json(config, run + ".json")
    argv = sys.argv
    sys.argv = ["train.py", "-c", run + ".json", "--bs", "36", "--lr", "0.01"]
    if resume:
        sys.argv += ["-r", str(resume)]
    args = argparse.ArgumentParser(description="PyTorch Template")
    args.add_argument("-c", "--config", default=None, type=str)
    args.add_argument("-r", "--resume", default=None, type=str)
    args.add_argument("-d", "--device", default=None, type=str)
    CustomArgs = collections.namedtuple("CustomArgs", "flags type target")
    options = [
        CustomArgs(["--lr", "--learning_rate"], type=float, target="optimizer;args;lr"),
        CustomArgs(["--bs", "--batch_size"], type=int, target="data_loader;args;batch_size"),
    ]
    config = ConfigParser.from_args(args, options)
    sys.argv = argv
    return config


def build():
    write_mnist()
    config = configuration("build")
    return config.init_obj("arch", module_arch), SmallModel()


def forward(lenet, small):
    lenet.eval()
    small.eval()
    write_mnist()
    config = configuration("forward")
    loader = config.init_obj("data_loader", module_data)
    validation = loader.split_validation()
    images = torch.from_numpy(np.random.RandomState(2).randn(4, 1, 28, 28).astype("float32"))
    target = torch.tensor([1, 0, 3, 9])
    return {
        "lenet": lambda: lenet(images),
        "small": lambda: small(images),
        "accuracy": lambda: module_metric.accuracy(lenet(images), target),
        "top_k": lambda: module_metric.top_k_acc(small(images), target, k=5),
        "loss": lambda: module_loss.nll_loss(lenet(images), target),
        "counts": lambda: np.array([len(loader), loader.n_samples, len(loader.dataset), len(validation)]),
        "batch_size": lambda: np.array([loader.batch_size, validation.batch_size]),
        "validation": lambda: sum(target.sum() for _, target in validation),
        "endless": lambda: torch.stack([target.sum() for (_, target), _ in zip(inf_loop(loader), range(3))]),
        "printed": lambda: float(str(lenet).split()[-1]),
    }


def trainer_of(net, config):
    """What main() of train.py does, for a net that is there."""
    data_loader = config.init_obj("data_loader", module_data)
    valid_data_loader = data_loader.split_validation()
    device, device_ids = prepare_device(config["n_gpu"])
    net = net.to(device)
    if len(device_ids) > 1:
        net = torch.nn.DataParallel(net, device_ids=device_ids)
    criterion = getattr(module_loss, config["loss"])
    metrics = [getattr(module_metric, met) for met in config["metrics"]]
    trainable_params = filter(lambda p: p.requires_grad, net.parameters())
    optimizer = config.init_obj("optimizer", torch.optim, trainable_params)
    lr_scheduler = config.init_obj("lr_scheduler", torch.optim.lr_scheduler, optimizer)
    return Trainer(
        net, criterion, metrics, optimizer, config=config, device=device, data_loader=data_loader,
        valid_data_loader=valid_data_loader, lr_scheduler=lr_scheduler,
    )  # fmt: skip


def train(_, small):
    torch.manual_seed(123)  # as train.py does: the order of a batch decides how its sums are rounded
    write_mnist()
    config = configuration("first")
    trainer = trainer_of(small, config)
    trainer.train()
    first = trainer.train_metrics.result()
    validation = trainer.valid_metrics.result()
    best = trainer.mnt_best

    resumed = trainer_of(SmallModel(), configuration("second", config.save_dir / "checkpoint-epoch1.pth"))
    resumed.train()
    return {
        "first": np.array([first["loss"], first["accuracy"], first["top_k_acc"]], "float64"),
        "validation": np.array([validation["loss"], validation["accuracy"]], "float64"),
        "best": float(best),
        "resumed": float(resumed.mnt_best),
        "start": resumed.start_epoch,
        "rate": trainer.optimizer.param_groups[0]["lr"],
        "conv": small.features[0].weight,
        "running_var": small.features[1].running_var,
        "resumed_weight": resumed.model.classifier.weight,
    }
