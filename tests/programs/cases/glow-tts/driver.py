import os
import sys
import tempfile
import types

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

import utils

core = types.ModuleType("monotonic_align.monotonic_align.core")


def maximum_path_c(path, value, t_x_max, t_y_max):
    """What the extension does: the best monotonic path of each item, written into `path`."""
    for i in range(len(path)):
        t_x, t_y = int(t_x_max[i]), int(t_y_max[i])
        best = value[i].copy()
        for y in range(t_y):
            for x in range(max(0, t_x + y - t_y), min(t_x, y + 1)):
                stay = -1e9 if x == y else best[x, y - 1]
                come = (0.0 if y == 0 else -1e9) if x == 0 else best[x - 1, y - 1]
                best[x, y] = max(stay, come) + best[x, y]
        index = t_x - 1
        for y in range(t_y - 1, -1, -1):
            path[i, index, y] = 1
            if index != 0 and (index == y or best[index, y - 1] < best[index - 1, y - 1]):
                index -= 1


core.maximum_path_c = maximum_path_c
sys.modules["monotonic_align.monotonic_align"] = types.ModuleType("monotonic_align.monotonic_align")
sys.modules["monotonic_align.monotonic_align.core"] = core

import commons  # noqa: E402
import models  # noqa: E402
import train as script  # noqa: E402
from data_utils import TextMelCollate  # noqa: E402

MELS, VOCABULARY = 8, 20
HPARAMS = utils.HParams(
    train={
        "log_interval": 1, "learning_rate": 1.0, "epochs": 2, "fp16_run": False, "betas": [0.9, 0.98],
        "eps": 1e-9, "warmup_steps": 10, "scheduler": "noam",
    },
    model={
        "hidden_channels": 12, "filter_channels": 16, "filter_channels_dp": 8, "kernel_size": 3, "p_dropout": 0.0,
        "n_blocks_dec": 2, "n_layers_enc": 2, "n_heads": 2, "p_dropout_dec": 0.0, "dilation_rate": 1,
        "kernel_size_dec": 3, "n_block_layers": 2, "n_sqz": 2, "prenet": True, "mean_only": True,
        "hidden_channels_enc": 12, "hidden_channels_dec": 12, "window_size": 4,
    },
)  # fmt: skip


def build():
    return models.FlowGenerator(n_vocab=VOCABULARY, out_channels=MELS, **HPARAMS.model)


class Sentences(torch.utils.data.Dataset):
    def __init__(self, count):
        random = np.random.RandomState(0)
        self.items = [
            (
                torch.IntTensor(random.randint(1, VOCABULARY, 4 + i % 3).tolist()),
                torch.from_numpy(random.standard_normal((MELS, 12 + 2 * (i % 4))).astype("float32")),
            )
            for i in range(count)
        ]

    def __getitem__(self, index):
        return self.items[index]

    def __len__(self):
        return len(self.items)


def loader(count):
    dataset = Sentences(count)
    sampler = torch.utils.data.distributed.DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=False)
    return DataLoader(
        dataset, num_workers=0, shuffle=False, batch_size=2, drop_last=True, collate_fn=TextMelCollate(1), sampler=sampler
    )


def forward(net):
    net.eval()
    x, x_lengths, y, y_lengths = next(iter(loader(2)))
    (z, z_m, z_logs, logdet, z_mask), _, (attn, logw, logw_) = net(x, x_lengths, y, y_lengths, gen=False)
    with torch.no_grad():
        (generated, *_), *_ = net(x, x_lengths, gen=True, noise_scale=0.0)
    return {"z": z, "m": z_m, "logdet": logdet, "attn": attn, "logw": logw, "logw_": logw_, "generated": generated}


class Parallel(nn.Module):
    """What train() takes for a DistributedDataParallel."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


class Log:
    def __init__(self):
        self.values = []

    def info(self, line):
        if isinstance(line, list):
            self.values.extend(float(one) for one in line[:2])


def train(net):
    for module in net.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    generator, logger, scalars = Parallel(net), Log(), []
    script.utils.summarize = lambda writer, global_step, scalars={}, images={}: None
    script.utils.plot_spectrogram_to_numpy = lambda spectrogram: spectrogram
    script.utils.plot_alignment_to_numpy = lambda alignment, info=None: alignment
    with torch.no_grad():  # as init.py does: ActNorm sets itself to the data
        for f in net.decoder.flows:
            if getattr(f, "set_ddi", False):
                f.set_ddi(True)
        net.train()
        x, x_lengths, y, y_lengths = next(iter(loader(2)))
        net(x, x_lengths, y, y_lengths, gen=False)
    optimizer = commons.Adam(
        generator.parameters(),
        scheduler=HPARAMS.train.scheduler,
        dim_model=HPARAMS.model.hidden_channels,
        warmup_steps=HPARAMS.train.warmup_steps,
        lr=HPARAMS.train.learning_rate * 0.1,
        betas=HPARAMS.train.betas,
        eps=HPARAMS.train.eps,
    )
    script.global_step = 0
    for epoch in (1, 2):
        script.train(0, epoch, HPARAMS, generator, optimizer, loader(4), logger, None)
        script.evaluate(0, epoch, HPARAMS, generator, optimizer, loader(2), logger, None)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "G_1.pth")
        script.utils.logger = script.utils.logging.getLogger("driver")
        utils.save_checkpoint(generator, optimizer, 1.0, 2, path)
        again = build()
        _, _, _, iteration = utils.load_checkpoint(utils.latest_checkpoint_path(folder, "G_*.pth"), Parallel(again))
    return {
        "losses": logger.values,
        "rate": optimizer.get_lr(),
        "iteration": iteration,
        "emb": again.encoder.emb.weight,
        "flow": net.decoder.flows[1].weight,
        "last": net.encoder.proj_m.weight,
    }
