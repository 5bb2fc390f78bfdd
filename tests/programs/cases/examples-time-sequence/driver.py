import pathlib
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

sys.path.insert(0, str(pathlib.Path(__file__).parent / "time_sequence_prediction"))

from train import Sequence  # noqa: E402


def build():
    seq = Sequence()
    seq.double()
    return seq


def waves():
    rng = np.random.RandomState(2)
    x = np.array(range(12)) + rng.randint(-80, 80, 5).reshape(5, 1)
    return np.sin(x / 1.0 / 20).astype("float64")


def forward(seq):
    data = torch.from_numpy(waves()[:3, :-1])
    return {"known": lambda: seq(data), "future": lambda: seq(data, future=4)}


def train(seq):
    """The main block of the script, with fewer and shorter waves."""
    data = waves()
    input = torch.from_numpy(data[3:, :-1])
    target = torch.from_numpy(data[3:, 1:])
    test_input = torch.from_numpy(data[:3, :-1])
    test_target = torch.from_numpy(data[:3, 1:])
    criterion = nn.MSELoss()
    # use LBFGS as optimizer since we can load the whole data to train
    optimizer = optim.LBFGS(seq.parameters(), lr=0.8, max_iter=4)
    losses = []
    for i in range(3):
        def closure():
            optimizer.zero_grad()
            out = seq(input)
            loss = criterion(out, target)
            losses.append(loss.item())
            loss.backward()
            return loss
        optimizer.step(closure)
        # begin to predict, no need to track gradient here
        with torch.no_grad():
            future = 5
            pred = seq(test_input, future=future)
            loss = criterion(pred[:, :-future], test_target)
            losses.append(loss.item())
            y = pred.detach().numpy()
    return {"losses": losses, "y": y, "linear": seq.linear.weight, "hh": seq.lstm2.weight_hh}
