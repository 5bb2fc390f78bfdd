import argparse
import os
import pathlib
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "super_resolution"))
sys.path.insert(0, str(HERE / "mnist_forward_forward"))

# The digits lie where the script of the VAE looks for them, as if torchvision had fetched them.
digits = np.random.RandomState(0).randint(0, 256, (12, 28, 28)).astype("uint8")
os.makedirs("../data/MNIST/raw", exist_ok=True)
os.makedirs("results", exist_ok=True)
for part in ("train", "t10k"):
    begin = f"../data/MNIST/raw/{part}"
    with open(f"{begin}-images-idx3-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 3, 0, 0, 0, 12, 0, 0, 0, 28, 0, 0, 0, 28]) + digits.tobytes())
    with open(f"{begin}-labels-idx1-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 1, 0, 0, 0, 12]) + bytes(range(12)))

import main as forward_forward  # noqa: E402
from model import Net  # noqa: E402

forward_forward.args = argparse.Namespace(lr=0.03, threshold=2, epochs=3, log_interval=10)
forward_forward.device = torch.device("cpu")


arguments = sys.argv
sys.argv = "main.py --batch-size 12 --epochs 2".split()
import vae.main as vae  # noqa: E402

sys.argv = arguments


def build():
    layers = forward_forward.Net([784, 20, 16]).layers
    return (vae.model, Net(upscale_factor=2), *layers)


def init():
    torch.manual_seed(1)
    return {"conv": Net(upscale_factor=3).conv2.weight, "layer": forward_forward.Layer(50, 40).weight}


def images(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def network(*layers):
    net = forward_forward.Net([])
    net.layers = list(layers)
    return net


def forward(model, resolution, *layers):
    model.eval()
    resolution.eval()
    x = images(1, 5, 784)
    y = torch.from_numpy(np.random.RandomState(2).randint(0, 10, 5))
    net = network(*layers)
    return {
        "vae": lambda: model(images(3, 4, 1, 28, 28)),
        "vae_loss": lambda: vae.loss_function(
            *(lambda r, m, v: (r, images(3, 4, 1, 28, 28), m, v))(*model(images(3, 4, 1, 28, 28)))
        ),
        "resolution": lambda: resolution(images(4, 2, 1, 6, 6)),
        "overlaid": lambda: forward_forward.overlay_y_on_x(x, y),
        "wrong": lambda: forward_forward.get_y_neg(y),
        "predicted": lambda: net.predict(x),
    }


def train(model, resolution, *layers):
    vae.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(1, 3):
        vae.train(epoch)
        vae.test(epoch)
    optimizer = torch.optim.Adam(resolution.parameters(), lr=0.01)
    criterion = torch.nn.MSELoss()
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = criterion(resolution(images(step, 2, 1, 6, 6)), images(10 + step, 2, 1, 12, 12))
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    results = {
        "losses": losses,
        "vae_weight": model.fc3.weight,
        "vae_last": model.fc4.bias,
        "resolution": resolution.conv3.weight,
    }

    def trained():
        x = images(1, 5, 784)
        y = torch.from_numpy(np.random.RandomState(2).randint(0, 10, 5))
        for layer in layers:
            layer.opt = torch.optim.Adam(layer.parameters(), lr=0.03)
        net = network(*layers)
        positive = forward_forward.overlay_y_on_x(x, y)
        negative = forward_forward.overlay_y_on_x(x, forward_forward.get_y_neg(y))
        net.train(positive, negative)
        return [layers[0].weight, layers[1].bias, net.predict(x).eq(y).float().mean()]

    return {**results, "forward_forward": trained}
