"""A network with the layers that keep their weights otherwise in MindSpore, and the ways to give it what a file of
torch holds."""

import torch
import torch.nn as nn
from torch.hub import load_state_dict_from_url


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.rnn = nn.LSTM(8, 5, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(10, 6, batch_first=True)
        self.attention = nn.MultiheadAttention(6, 2)
        self.encoder = nn.TransformerEncoderLayer(6, 2, 12)
        self.norm = nn.LayerNorm(6)
        self.up = nn.ConvTranspose1d(6, 4, 2)
        self.instance_norm = nn.InstanceNorm1d(4, affine=True, track_running_stats=True)
        self.bilinear = nn.Bilinear(4, 4, 3)
        self.cell = nn.LSTMCell(3, 3)
        self.scaled = nn.utils.weight_norm(nn.Linear(3, 3))
        self.head = nn.utils.spectral_norm(nn.Linear(3, 2))

    def forward(self, x):
        h = self.bn(self.conv(x)).flatten(2).transpose(1, 2)
        h, _ = self.gru(self.rnn(h)[0])
        h, _ = self.attention(h, h, h)
        h = self.norm(self.encoder(h))
        h = self.instance_norm(self.up(h.transpose(1, 2))).mean(2)
        a, b = self.cell(self.bilinear(h, h))
        return self.head(self.scaled(a + b))


def by_address(path):
    net = Net()
    net.load_state_dict(
        load_state_dict_from_url(f"file://{path}", model_dir="fetched", progress=False)["net"]
    )
    return net


def without_prefix(path):
    net = Net()
    kept = torch.load(path, map_location="cpu")["net"]
    state = {f"module.{name}": value for name, value in kept.items()}
    left = net.load_state_dict(
        {name.replace("module.", ""): value for name, value in state.items()}, strict=False
    )
    assert not left.missing_keys and not left.unexpected_keys
    return net


def what_fits(path):
    net = Net()
    own, kept = net.state_dict(), torch.load(path)["net"]
    fitting = {name: value for name, value in kept.items() if name in own and value.shape == own[name].shape}
    own.update(fitting)
    net.load_state_dict(own)
    return net


def by_name(path):
    net = Net()
    kept = torch.load(path)["net"]
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            parameter.copy_(kept[name])
        for name, buffer in net.named_buffers():
            if "tracked" not in name:
                buffer.copy_(kept[name])
    return net


WAYS = {
    "by_address": by_address,
    "without_prefix": without_prefix,
    "what_fits": what_fits,
    "by_name": by_name,
}
