import importlib
import random

import numpy as np
import torch
import torch.nn as nn

from SpeakerNet import ModelTrainer, SpeakerNet, WrappedModel
from utils import PreEmphasis, accuracy

SPEAKERS, FRAMES = 5, 400
settings = dict(
    nOut=16, nClasses=SPEAKERS, encoder_type="SAP", n_mels=40, log_input=True, margin=0.2, scale=15,
    lr=1e-3, weight_decay=1e-4, test_interval=1, max_epoch=2, lr_decay=0.9, hard_prob=0.0, hard_rank=0,
)  # fmt: skip


class Bands(nn.Module):
    """In the place of torchaudio's filter bank."""

    def forward(self, x):
        return x.view(x.size(0), 40, -1) ** 2


def speaker_net(model, trainfunc, per_speaker, **changes):
    net = SpeakerNet(model, "adam", trainfunc, per_speaker, **{**settings, **changes})
    net.__S__.torchfb = Bands()
    return net


def build():
    return (
        speaker_net("ResNetSE34L", "softmaxproto", 2),
        speaker_net("ResNetSE34L", "aamsoftmax", 1, encoder_type="ASP"),
        speaker_net("VGGVox", "amsoftmax", 1),
    )


def init():
    torch.manual_seed(1)
    net = speaker_net("ResNetSE34L", "aamsoftmax", 1)
    return {"conv1": net.__S__.conv1.weight, "attention": net.__S__.attention, "W": net.__L__.weight}


def wave(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def loss_of(kind, per_speaker, **changes):
    module = importlib.import_module("loss." + kind)
    criterion = module.LossFunction(**{**settings, **changes})
    for parameter in criterion.parameters():
        if parameter.dim() > 0:
            parameter.data = 0.1 * wave(7, *parameter.shape)
    embeddings = wave(3, SPEAKERS, per_speaker, 16) if per_speaker > 1 else wave(3, SPEAKERS, 16)
    return criterion(embeddings, torch.arange(SPEAKERS))


def forward(proto, margin, vgg):
    for net in (proto, margin, vgg):
        net.eval()
    data = wave(0, 3, 40 * FRAMES // 4)
    outputs = {
        "proto": proto(data),
        "margin": margin(data),
        "vgg": vgg(data),
        "pre_emphasis": PreEmphasis()(data),
        "accuracy": lambda: accuracy(wave(1, 6, 5), torch.arange(6) % 5, topk=(1,)),
    }
    for kind, count in (("softmax", 1), ("proto", 2), ("angleproto", 3), ("ge2e", 3)):
        outputs[kind] = lambda kind=kind, count=count: loss_of(kind, count)
    outputs["easy_margin"] = lambda: loss_of("aamsoftmax", 1, easy_margin=True)
    return outputs


def train(proto, margin, vgg):
    results = {}
    random.seed(0)
    for name, net, optimizer, per_speaker in (
        ("proto", proto, "adam", 2),
        ("margin", margin, "sgd", 1),
        ("vgg", vgg, "adam", 1),
    ):
        trainer = ModelTrainer(WrappedModel(net), optimizer, "steplr", 0, False, **settings)
        history = []
        for epoch in range(2):
            loader = [
                (wave(10 * epoch + step, SPEAKERS, per_speaker, 40 * FRAMES // 4), np.arange(SPEAKERS).tolist())
                for step in range(2)
            ]
            loss, top1 = trainer.train_network(loader, verbose=False)
            history.append(loss)
        results[name] = history
        results[name + "_fc"] = net.__S__.fc.weight
        results[name + "_lr"] = trainer.__optimizer__.param_groups[0]["lr"]
    return results
