import json
import os
import tempfile

import numpy as np
import torch
from torch import optim
from torch.utils.data import DataLoader, TensorDataset

import model.densenet as densenet
import model.net as net
import model.preresnet as preresnet
import model.resnet as resnet
import model.resnext as resnext
import model.wrn as wrn
import train as training
import utils
from evaluate import evaluate, evaluate_kd

settings = {
    "model_version": "cnn",
    "subset_percent": 1.0,
    "augmentation": "no",
    "alpha": 0.9,
    "temperature": 6,
    "learning_rate": 1e-3,
    "batch_size": 4,
    "num_epochs": 2,
    "dropout_rate": 0.0,
    "num_channels": 6,
    "save_summary_steps": 1,
    "num_workers": 0,
    "cuda": 0,
}


def hyperparameters(**changes):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "params.json")
        with open(path, "w") as file:
            json.dump({**settings, **changes}, file)
        return utils.Params(path)


def build():
    params = hyperparameters()
    return (
        net.Net(params),
        net.Net(params),
        wrn.WideResNet(depth=10, num_classes=10, widen_factor=1, dropRate=0.0),
        resnet.ResNet(resnet.Bottleneck, [1, 1, 1, 1]),
        densenet.DenseNet(depth=10, growthRate=4, num_classes=10),
        preresnet.PreResNet(depth=20, num_classes=10),
        resnext.CifarResNeXt(cardinality=2, depth=11, num_classes=10, widen_factor=4),
    )


def init():
    torch.manual_seed(0)
    return {
        "wrn": wrn.WideResNet(depth=10, num_classes=10, widen_factor=2).conv1.weight,
        "preresnet": preresnet.PreResNet(depth=20, num_classes=10).layer1[0].conv2.weight,
    }


def images(seed, count):
    rng = np.random.RandomState(seed)
    x = torch.from_numpy(rng.randn(count, 3, 32, 32).astype("float32"))
    return x, torch.from_numpy(rng.randint(0, 10, count))


def loader(seed, count, params):
    return DataLoader(TensorDataset(*images(seed, count)), batch_size=params.batch_size, shuffle=False)


def forward(*nets):
    names = ("cnn", "student", "wrn", "resnet", "densenet", "preresnet", "resnext")
    x, labels = images(0, 2)
    outputs = {}
    for name, model in zip(names, nets):
        model.eval()
        outputs[name] = model(x)
    teacher = outputs["wrn"]
    outputs["kd"] = lambda: net.loss_fn_kd(outputs["cnn"], labels, teacher, hyperparameters())
    outputs["loss"] = lambda: resnet.loss_fn(outputs["resnet"], labels)
    return outputs


def train(cnn, student, teacher, *others):
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        params = hyperparameters(model_version="cnn")
        optimizer = optim.Adam(cnn.parameters(), lr=params.learning_rate)
        batches, held_out = loader(1, 8, params), loader(2, 4, params)
        training.train_and_evaluate(
            cnn, batches, held_out, optimizer, net.loss_fn, net.metrics, params, os.path.join(folder, "base")
        )
        with open(os.path.join(folder, "base", "metrics_val_last_weights.json")) as file:
            results["base"] = json.load(file)["loss"]

        params = hyperparameters(model_version="cnn_distill")
        optimizer = optim.Adam(student.parameters(), lr=params.learning_rate)
        distilled = os.path.join(folder, "distilled")
        training.train_and_evaluate_kd(
            student, teacher, batches, held_out, optimizer, net.loss_fn_kd, net.metrics, params, distilled
        )
        utils.load_checkpoint(os.path.join(distilled, "last.pth.tar"), student, optimizer)
        training.train_kd(student, teacher, optimizer, net.loss_fn_kd, batches, net.metrics, params)
    results["accuracy"] = evaluate_kd(student, held_out, net.metrics, params)["accuracy"]
    results["distilled"] = evaluate(student, net.loss_fn, held_out, net.metrics, params)["loss"]
    results["conv"] = student.conv2.weight
    results["running"] = cnn.bn1.running_var
    results["fc"] = cnn.fc1.weight
    return results
