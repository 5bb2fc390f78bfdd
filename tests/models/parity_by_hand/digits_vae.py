"""The autoencoder of parity/digits_vae.py as MindSpore's own examples write one."""

import argparse
import json
import time

import mindspore
import numpy as np
from mindspore import nn, ops
from sklearn.datasets import load_digits


class VAE(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(64, 128)
        self.fc21 = nn.Dense(128, 8)
        self.fc22 = nn.Dense(128, 8)
        self.fc3 = nn.Dense(8, 128)
        self.fc4 = nn.Dense(128, 64)

    def construct(self, x):
        hidden = ops.relu(self.fc1(x))
        mu, logvar = self.fc21(hidden), self.fc22(hidden)
        z = mu + ops.randn_like(mu) * ops.exp(0.5 * logvar)
        return ops.sigmoid(self.fc4(ops.relu(self.fc3(z)))), mu, logvar


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    args = parser.parse_args()
    mindspore.set_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    images = (load_digits().data / 16).astype(np.float32)
    model = VAE()
    optimizer = nn.Adam(model.trainable_params(), learning_rate=2e-3)

    def forward(data):
        recon, mu, logvar = model(data)
        bce = ops.binary_cross_entropy(recon, data, reduction="sum")
        return bce - 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()

    grad_fn = mindspore.value_and_grad(forward, None, optimizer.parameters)
    seconds = []
    for epoch in range(args.epochs):
        order = rng.permutation(1400)
        for first in range(0, 1400, 50):
            data = mindspore.Tensor(images[order[first : first + 50]])
            start = time.perf_counter()
            _, grads = grad_fn(data)
            optimizer(grads)
            seconds.append(time.perf_counter() - start)
        bound = float(forward(mindspore.Tensor(images[1400:])).asnumpy()) / (len(images) - 1400)
        print(json.dumps({"step": epoch + 1, "value": bound}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
