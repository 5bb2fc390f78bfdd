import importlib.util
import os
import shutil

import numpy as np
import torch
import torchfcn
from torchfcn.models.fcn32s import get_upsampling_weight
from torchfcn.trainer import cross_entropy2d

spec = importlib.util.spec_from_file_location("train_fcn32s", "examples/voc/train_fcn32s.py")
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
CLASSES, SIZE = 5, 16


class Scenes(torch.utils.data.Dataset):
    class_names = np.array(["none", "one", "two", "three", "four"])

    def __len__(self):
        return 3

    def __getitem__(self, index):
        rng = np.random.RandomState(index)
        image = rng.randn(3, SIZE, SIZE).astype("float32")
        label = rng.randint(-1, CLASSES, (SIZE, SIZE)).astype("int64")
        return torch.from_numpy(image), torch.from_numpy(label)

    def untransform(self, img, lbl):
        return img.numpy(), lbl.numpy()


def build():
    net = torchfcn.models.FCN32s(n_class=CLASSES)
    rng = np.random.RandomState(3)
    for name, parameter in net.named_parameters():
        if "upscore" not in name and parameter.dim() > 1:
            fan = parameter[0].numel()
            parameter.data.copy_(
                torch.from_numpy((rng.randn(*parameter.shape) / np.sqrt(fan)).astype("float32"))
            )
    return net


def forward(net):
    net.eval()
    image = torch.stack([Scenes()[0][0]])
    score = net(image)
    target = Scenes()[0][1][None]
    return {
        "score": score,
        "loss": lambda: cross_entropy2d(score, target),
        "summed": lambda: cross_entropy2d(score, target, size_average=False),
        "bilinear": get_upsampling_weight(2, 2, 4),
        "weights": [list(p.shape) for p in script.get_parameters(net, bias=False)],
    }


def train(net):
    for layer in (net.drop6, net.drop7):
        layer.p = 0.0
    loader = torch.utils.data.DataLoader(Scenes(), batch_size=1, shuffle=False)
    optimizer = torch.optim.SGD(
        [
            {"params": script.get_parameters(net, bias=False)},
            {"params": script.get_parameters(net, bias=True), "lr": 1e-6 * 2, "weight_decay": 0},
        ],
        lr=1e-6,
        momentum=0.99,
        weight_decay=0.0005,
    )
    shutil.rmtree("logs", ignore_errors=True)
    trainer = torchfcn.Trainer(
        cuda=False,
        model=net,
        optimizer=optimizer,
        train_loader=loader,
        val_loader=loader,
        out="logs",
        max_iter=3,
        interval_validate=4000,
    )
    trainer.train()
    with open(os.path.join("logs", "log.csv")) as file:
        rows = [line.split(",")[2:7] for line in file.read().splitlines()[1:]]
    return {
        "rows": [[float(value) for value in row] for row in rows if row[0]],
        "score": net.score_fr.weight,
        "up": net.upscore.weight,
        "bias": net.conv1_1.bias,
    }
