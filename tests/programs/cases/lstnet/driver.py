import sys

import numpy as np
import torch
import torch.nn as nn

rng = np.random.RandomState(0)
hours = np.arange(80)[:, None]
series = 2 + np.sin(hours / (2.0 + np.arange(5))) + 0.1 * rng.rand(80, 5)
np.savetxt("series.txt", series, delimiter=",")
sys.argv = (
    "main.py --data series.txt --hidCNN 6 --hidRNN 7 --window 14 --CNN_kernel 3 --highway_window 4 --epochs 1"
    " --batch_size 64 --dropout 0 --save model.pt --horizon 2 --skip 3 --hidSkip 3"
).split()

import main as program  # noqa: E402
import Optim  # noqa: E402
from models import LSTNet  # noqa: E402
from utils import Data_utility  # noqa: E402


def build():
    plain = program.parser.parse_args(sys.argv[1:])
    plain.highway_window, plain.output_fun, plain.skip = 0, "tanh", 2
    return LSTNet.Model(program.args, program.Data), LSTNet.Model(plain, program.Data)


def forward(net, plain):
    net.eval()
    plain.eval()
    data = Data_utility("series.txt", 0.6, 0.2, False, 2, 14, 1)
    x, y = data.valid
    return {
        "scaled": program.Data.scale,
        "inputs": program.Data.train[0],
        "net": net(x),
        "plain": plain(x),
        "rse": lambda: torch.as_tensor(data.rse),
        "scores": lambda: torch.tensor(
            [
                float(s)
                for s in program.evaluate(
                    data, x, y, net, nn.MSELoss(reduction="sum"), nn.L1Loss(reduction="sum"), 5
                )
            ]
        ),
    }


def train(net, plain):
    data = program.Data
    losses = []
    for model, method in ((net, "adam"), (plain, "sgd"), (plain, "adagrad")):
        optim = Optim.Optim(model.parameters(), method, 0.01, 1.0, lr_decay=0.5, start_decay_at=2)
        for epoch in range(1, 4):
            losses.append(program.train(data, *data.train, model, program.criterion, optim, 64))
            optim.updateLearningRate(losses[-1], epoch)
        losses.extend(program.evaluate(data, *data.test, model, program.evaluateL2, program.evaluateL1, 64))
    return {
        "losses": np.array([float(loss) for loss in losses]),
        "conv": net.conv1.weight,
        "skip": net.GRUskip.weight_hh_l0,
        "highway": net.highway.weight,
    }
