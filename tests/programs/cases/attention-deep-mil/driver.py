import os
import sys

import numpy as np
import torch

# The digits lie where the script looks for them, as if torchvision had fetched them.
rng = np.random.RandomState(0)
os.makedirs("../datasets/MNIST/raw", exist_ok=True)
for part in ("train", "t10k"):
    begin = f"../datasets/MNIST/raw/{part}"
    with open(f"{begin}-images-idx3-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 3, 0, 0, 0, 60, 0, 0, 0, 28, 0, 0, 0, 28]))
        f.write(rng.randint(0, 256, (60, 28, 28)).astype("uint8").tobytes())
    with open(f"{begin}-labels-idx1-ubyte", "wb") as f:
        f.write(bytes([0, 0, 8, 1, 0, 0, 0, 60]) + rng.randint(0, 10, 60).astype("uint8").tobytes())

# One bag to train with: the bags are shuffled.
arguments = sys.argv
sys.argv = "main.py --num_bags_train 1 --num_bags_test 6 --mean_bag_length 7 --epochs 3 --no-cuda".split()
import main as attention  # noqa: E402
from model import GatedAttention  # noqa: E402

sys.argv = arguments


def build():
    return attention.model, GatedAttention()


def forward(net, gated):
    bags = torch.from_numpy(np.random.RandomState(1).randn(1, 5, 1, 28, 28).astype("float32"))
    bag, label = attention.test_loader.dataset[0]
    net.eval()
    gated.eval()
    return {
        "attention": lambda: net(bags),
        "gated": lambda: gated(bags),
        "bag": bag,
        "label": label[1],
        "objective": lambda: gated.calculate_objective(bags, torch.tensor([1])),
        "error": lambda: net.calculate_classification_error(bags, torch.tensor([True])),
    }


def train(net, gated):
    # The bench trains several times: each time with a new optimizer, like the script's.
    attention.optimizer = torch.optim.Adam(net.parameters(), lr=0.0005, betas=(0.9, 0.999), weight_decay=10e-5)
    for epoch in range(3):
        attention.train(epoch)
    attention.test()
    losses = []
    for _, (data, label) in enumerate(attention.test_loader):
        loss, _ = attention.model.calculate_objective(data, label[0])
        losses.append(loss.data[0].cpu().numpy()[0])
    # The other model with the same settings.
    optimizer = torch.optim.Adam(gated.parameters(), lr=0.0005, betas=(0.9, 0.999), weight_decay=10e-5)
    for data, label in attention.test_loader:
        optimizer.zero_grad()
        loss, _ = gated.calculate_objective(data, label[0])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {
        "losses": losses,
        "conv": net.feature_extractor_part1[0].weight,
        "w": net.attention[2].weight,
        "gated": gated.attention_V[0].weight,
    }
