import numpy as np
import torch
from torch import nn

import asteroid
from asteroid.engine.optimizers import make_optimizer
from asteroid.engine.schedulers import DPTNetScheduler, NoamScheduler
from asteroid.losses import (
    PITLossWrapper,
    deep_clustering_loss,
    multisrc_neg_sisdr,
    pairwise_mse,
    pairwise_neg_sisdr,
    singlesrc_neg_sisdr,
)
from asteroid.models import conv_tasnet, dprnn_tasnet, dptnet, sudormrf

FILTERS, KERNEL, STRIDE, TIME, SOURCES = 12, 8, 4, 120, 2


class Filterbank(nn.Module):
    """A free filterbank, as asteroid_filterbanks has it."""

    def __init__(self, n_filters, kernel_size, stride, sample_rate, decodes):
        super().__init__()
        self._filters = nn.Parameter(torch.ones(n_filters, 1, kernel_size))
        nn.init.xavier_normal_(self._filters)
        self.stride, self.sample_rate, self.n_feats_out, self.decodes = (
            stride,
            sample_rate,
            n_filters,
            decodes,
        )

    def forward(self, signal):
        if not self.decodes:
            return nn.functional.conv1d(signal, self._filters, stride=self.stride)
        flat = signal.reshape(-1, *signal.shape[-2:])
        made = nn.functional.conv_transpose1d(flat, self._filters, stride=self.stride)
        return made.reshape(*signal.shape[:-2], -1)


def make_enc_dec(fb_name, n_filters, kernel_size, stride=None, sample_rate=8000.0, **kwargs):
    return tuple(
        Filterbank(n_filters, kernel_size, stride, sample_rate, decodes) for decodes in (False, True)
    )


for module in (conv_tasnet, dprnn_tasnet, dptnet, sudormrf):
    module.make_enc_dec = make_enc_dec


def build():
    bank = {"n_filters": FILTERS, "kernel_size": KERNEL, "stride": STRIDE}
    conv = asteroid.ConvTasNet(SOURCES, n_blocks=2, n_repeats=2, bn_chan=6, hid_chan=8, skip_chan=5, **bank)
    causal = asteroid.ConvTasNet(
        SOURCES,
        n_blocks=2,
        n_repeats=1,
        bn_chan=6,
        hid_chan=8,
        skip_chan=0,
        causal=True,
        norm_type="cLN",
        **bank,
    )
    dprnn = asteroid.DPRNNTasNet(
        SOURCES, bn_chan=6, hid_size=5, chunk_size=8, n_repeats=1, mask_act="relu", **bank
    )
    dpt = asteroid.DPTNet(SOURCES, n_heads=2, ff_hid=6, chunk_size=8, n_repeats=1, **bank)
    return conv, causal, dprnn, dpt


def signals(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(*models):
    outputs = {}
    for number, model in enumerate(models):
        model.eval()
        outputs[f"separated_{number}"] = model(signals(0, 2, 1, TIME))
        outputs[f"single_{number}"] = lambda model=model: model(signals(1, TIME))
    estimated, targets = signals(2, 3, SOURCES, TIME), signals(3, 3, SOURCES, TIME)
    outputs["mse"] = lambda: PITLossWrapper(pairwise_mse, pit_from="pw_mtx")(estimated, targets)
    outputs["by_points"] = lambda: PITLossWrapper(singlesrc_neg_sisdr, pit_from="pw_pt")(estimated, targets)
    outputs["average"] = lambda: PITLossWrapper(multisrc_neg_sisdr, pit_from="perm_avg")(estimated, targets)
    outputs["reordered"] = lambda: PITLossWrapper(pairwise_neg_sisdr)(estimated, targets, return_est=True)[1]
    outputs["clusters"] = lambda: deep_clustering_loss(
        signals(4, 2, 20, 5), torch.from_numpy(np.random.RandomState(5).randint(0, 2, (2, 4, 5)))
    )
    return outputs


def train(*models):
    """The step of asteroid.engine.System, whose base class is pytorch_lightning's."""
    results = {}
    loss_func = PITLossWrapper(pairwise_neg_sisdr, pit_from="pw_mtx")
    for number, model in enumerate(models):
        optimizer = make_optimizer(model.parameters(), optimizer="adam", lr=1e-3, weight_decay=0.0)
        if number == 3:
            scheduler = DPTNetScheduler(
                optimizer, steps_per_epoch=2, d_model=64, warmup_steps=2, exp_max=0.001
            )
        else:
            scheduler = NoamScheduler(optimizer, d_model=64, warmup_steps=100)
        losses = []
        for step in range(4):
            targets = signals(10 + step, 2, SOURCES, TIME)
            mixture = targets.sum(1)
            loss = loss_func(model(mixture), targets)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            scheduler.step()
            optimizer.step()
            losses.append(loss.item())
        results[f"losses_{number}"] = losses
        results[f"encoder_{number}"] = model.encoder._filters
        results[f"rate_{number}"] = optimizer.param_groups[0]["lr"]
    results["dprnn"] = models[2].masker.net[0].intra_RNN.rnn.weight_hh_l0
    return results
