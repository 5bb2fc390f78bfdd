import os
import random
import sys
import tempfile

import numpy as np
import torch
from torch import optim

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples"))

import trainer_pytorch
from data import dummy_data_generator
from nbeats_pytorch.model import NBeatsNet

BACKCAST, FORECAST = 20, 5


def build():
    return NBeatsNet(
        stack_types=[NBeatsNet.TREND_BLOCK, NBeatsNet.SEASONALITY_BLOCK, NBeatsNet.GENERIC_BLOCK],
        forecast_length=FORECAST,
        backcast_length=BACKCAST,
        thetas_dim=[2, 8, 3],
        nb_blocks_per_stack=2,
        hidden_layer_units=32,
    )


def series(seed):
    random_state = np.random.RandomState(seed)
    x = random_state.uniform(size=(24, BACKCAST, 1))
    return x, np.mean(x, axis=1, keepdims=True).repeat(FORECAST, axis=1)


def forward(net):
    x, _ = series(1)
    net.enable_intermediate_outputs()
    forecast = net.predict(x)
    generic, interpretable, outputs = net.get_generic_and_interpretable_outputs()
    net.disable_intermediate_outputs()
    return {
        "forecast": forecast,
        "backcast": net.predict(x, return_backcast=True),
        "generic": generic,
        "interpretable": interpretable,
        "names": torch.tensor([float(len(outputs))]),
    }


def train(net):
    random.seed(3)
    np.random.seed(3)
    net.compile(loss="mae", optimizer="adam")
    x, y = series(2)
    net.fit(x[4:], y[4:], validation_data=(x[:4], y[:4]), epochs=2, batch_size=8)
    optimiser = optim.Adam(net.parameters())
    folder = os.getcwd()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        data = dummy_data_generator(BACKCAST, FORECAST, signal_type="seasonality", random=True, batch_size=4)
        trainer_pytorch.simple_fit(net, optimiser, data, max_grad_steps=3)
        trainer_pytorch.save(net, optimiser, 3)
        trainer_pytorch.simple_fit(net, optimiser, data, max_grad_steps=5)
        net.save("n_beats_pytorch.th")
        os.chdir(folder)
    forecast = net.predict(x)
    return {
        "forecast": forecast,
        "first": net.stacks[0][0].fc1.weight,
        "last": net.stacks[2][1].forecast_fc.weight,
    }
