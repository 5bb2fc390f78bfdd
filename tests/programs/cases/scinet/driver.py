import os
from argparse import Namespace

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from experiments.exp_ETTh import Exp_ETTh
from models.SCINet import SCINet
from models.SCINet_decompose import SCINet_decompose
from utils.tools import StandardScaler

LENGTH, AHEAD = 16, 8


class Series(Dataset):
    """Waves in place of the temperatures of ETT."""

    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        self.scaler = StandardScaler()
        data = np.sin(np.arange(count)[:, None] * np.linspace(0.1, 0.9, 7)) * 3 + rng.rand(count, 7)
        self.scaler.fit(data)
        self.data = self.scaler.transform(data)

    def __getitem__(self, index):
        x = self.data[index : index + LENGTH]
        y = self.data[index + LENGTH - 4 : index + LENGTH + AHEAD]
        return x, y, x[:, :4], y[:, :4]

    def __len__(self):
        return len(self.data) - LENGTH - AHEAD + 1

    def inverse_transform(self, data):
        return self.scaler.inverse_transform(data)


def settings(**more):
    said = dict(
        features="M",
        decompose=False,
        pred_len=AHEAD,
        seq_len=LENGTH,
        label_len=4,
        hidden_size=1,
        stacks=1,
        levels=2,
        num_decoder_layer=1,
        concat_len=0,
        groups=1,
        kernel=5,
        dropout=0.0,
        single_step_output_One=0,
        positionalEcoding=False,
        RIN=False,
        use_gpu=False,
        use_multi_gpu=False,
        use_amp=False,
        resume=False,
        checkpoints="checkpoints",
        model_name="made",
        data="ETTh1",
        horizon=AHEAD,
        patience=5,
        lr=0.003,
        lradj=1,
        loss="mae",
        train_epochs=2,
        batch_size=8,
        evaluate=False,
    )
    said.update(more)
    return Namespace(**said)


class Experiment(Exp_ETTh):
    def _get_data(self, flag):
        series = Series({"train": 0, "val": 1, "test": 2}[flag], {"train": 47, "val": 35, "test": 35}[flag])
        return series, DataLoader(series, batch_size=self.args.batch_size, shuffle=False, drop_last=True)


def build():
    plain = Experiment(settings())
    stacked = Experiment(settings(stacks=2, RIN=True))
    decoder = SCINet(AHEAD, LENGTH, input_dim=7, hid_size=2, num_levels=2, num_decoder_layer=2, kernel=3, dropout=0.0, positionalE=True)
    parts = SCINet_decompose(AHEAD, LENGTH, input_dim=7, hid_size=1, num_levels=2, kernel=3, dropout=0.0, RIN=True)
    return plain.model, stacked.model, decoder, parts


def numbers(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(3, LENGTH, 7))


def forward(plain, stacked, decoder, parts):
    for net in (plain, stacked, decoder, parts):
        net.eval()
    return {
        "plain": lambda: plain(numbers(0)),
        "stacked": lambda: stacked(numbers(1))[0],
        "middle": lambda: stacked(numbers(1))[1],
        "decoder": lambda: decoder(numbers(2).float()),
        "parts": lambda: parts(numbers(3).float()),
    }


def train(plain, stacked, decoder, parts):
    result = {}
    os.makedirs("checkpoints", exist_ok=True)
    for name, net, said in (("plain", plain, settings()), ("stacked", stacked, settings(stacks=2, RIN=True))):
        experiment = Experiment(said)
        experiment.model = net
        trained = experiment.train(name)
        result[name + "_first"] = next(trained.parameters())
        result[name + "_last"] = trained.projection1.weight
        data, loader = experiment._get_data("test")
        result[name + "_loss"] = float(experiment.valid(data, loader, experiment._select_criterion("mse")))
    for name, net in (("decoder", decoder), ("parts", parts)):
        net.train()
        optimizer = torch.optim.Adam(net.parameters(), lr=0.003)
        losses = []
        for step in range(3):
            optimizer.zero_grad()
            loss = torch.nn.functional.l1_loss(net(numbers(20 + step).float()), numbers(30 + step).float()[:, :AHEAD])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        result[name + "_losses"] = losses
    return result
