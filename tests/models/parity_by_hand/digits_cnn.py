"""The network of parity/digits_cnn.py as examples of MindSpore write one: `nn`, `value_and_grad`, `nn.Adam`."""

import argparse
import json
import time

import mindspore
import numpy as np
from mindspore import nn, ops
from sklearn.datasets import load_digits


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm2 = nn.BatchNorm2d(32)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.dropout = nn.Dropout(p=0.25)
        self.fc1 = nn.Dense(32 * 2 * 2, 64)
        self.fc2 = nn.Dense(64, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.norm1(self.conv1(x))))
        x = self.pool(self.relu(self.norm2(self.conv2(x))))
        x = self.dropout(self.flatten(x))
        return self.fc2(self.relu(self.fc1(x)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    mindspore.set_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[:, None]
    labels = digits.target.astype(np.int32)
    net = Net()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=1e-3)

    def forward(x, y):
        return ops.cross_entropy(net(x), y)

    grad_fn = mindspore.value_and_grad(forward, None, optimizer.parameters)
    seconds = []
    for epoch in range(args.epochs):
        net.set_train()
        order = rng.permutation(1400)
        for first in range(0, 1400, 50):
            part = order[first : first + 50]
            x, y = mindspore.Tensor(images[part]), mindspore.Tensor(labels[part])
            start = time.perf_counter()
            _, grads = grad_fn(x, y)
            optimizer(grads)
            seconds.append(time.perf_counter() - start)
        net.set_train(False)
        guessed = net(mindspore.Tensor(images[1400:])).argmax(1).asnumpy()
        print(json.dumps({"step": epoch + 1, "value": float((guessed == labels[1400:]).mean())}), flush=True)
    print(json.dumps({"seconds": float(np.median(seconds))}))


if __name__ == "__main__":
    main()
