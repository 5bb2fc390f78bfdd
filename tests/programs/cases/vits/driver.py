import json

import numpy as np
import torch
import torch.nn as nn

import monotonic_align
import train as training
import utils
from models import MultiPeriodDiscriminator, SynthesizerTrn
from torch.cuda.amp import GradScaler

WORDS, FRAMES, HOP = 20, 16, 16


def maximum_path_c(paths, values, t_ys, t_xs):
    """What monotonic_align/core.pyx compiles."""
    for path, value, t_y, t_x in zip(paths, values, t_ys, t_xs):
        for y in range(t_y):
            for x in range(max(0, t_x + y - t_y), min(t_x, y + 1)):
                v_cur = -1e9 if x == y else value[y - 1, x]
                v_prev = (0.0 if y == 0 else -1e9) if x == 0 else value[y - 1, x - 1]
                value[y, x] += max(v_prev, v_cur)
        index = t_x - 1
        for y in range(t_y - 1, -1, -1):
            path[y, index] = 1
            if index != 0 and (index == y or value[y - 1, index] < value[y - 1, index - 1]):
                index = index - 1


monotonic_align.maximum_path_c = maximum_path_c


def settings():
    with open("configs/ljs_base.json") as file:
        config = json.load(file)
    config["train"].update(segment_size=FRAMES * HOP, fp16_run=False, log_interval=1000, eval_interval=1000)
    config["data"].update(filter_length=64, hop_length=HOP, win_length=64, n_mel_channels=10)
    config["model"].update(
        inter_channels=8, hidden_channels=8, filter_channels=16, n_layers=2, p_dropout=0.0, resblock_kernel_sizes=[3, 5],
        resblock_dilation_sizes=[[1, 3, 5], [1, 3, 5]], upsample_rates=[4, 4], upsample_initial_channel=16,
        upsample_kernel_sizes=[8, 8],
    )  # fmt: skip
    return utils.HParams(**config)


def synthesizer(hps, use_sdp):
    net = SynthesizerTrn(
        WORDS,
        hps.data.filter_length // 2 + 1,
        hps.train.segment_size // hps.data.hop_length,
        use_sdp=use_sdp,
        **hps.model,
    )
    # No randomness may decide: the noise gets so small that it does not show, and nothing is dropped.
    proj = net.enc_q.proj
    with torch.no_grad():
        proj.bias.data[net.inter_channels :] = -40.0
        proj.weight.data[net.inter_channels :] = 0.0
    return net


def build():
    hps = settings()
    net_g = synthesizer(hps, False)
    net_g.dp.drop = nn.Identity()
    return net_g, MultiPeriodDiscriminator(hps.model.use_spectral_norm), synthesizer(hps, True).dp


def batch(seed):
    random = np.random.RandomState(seed)
    x = torch.from_numpy(random.randint(1, WORDS, (2, 7)).astype("int64"))
    x_lengths = torch.LongTensor([7, 5])
    spec = torch.from_numpy(np.abs(random.randn(2, 33, FRAMES)).astype("float32"))
    spec_lengths = torch.LongTensor([FRAMES, FRAMES])
    y = torch.from_numpy(np.tanh(random.randn(2, 1, FRAMES * HOP)).astype("float32") * 0.9)
    return x, x_lengths, spec, spec_lengths, y, torch.LongTensor([FRAMES * HOP] * 2)


def flows(dp):
    """The duration predictor backwards, without its noise, and one of its flows forwards."""
    random = np.random.RandomState(4)
    x = torch.from_numpy(random.randn(2, dp.in_channels, 6).astype("float32"))
    mask = torch.ones(2, 1, 6)
    z = torch.from_numpy(random.randn(2, 2, 6).astype("float32"))
    z, logdet = dp.flows[1](z, mask, g=x)
    return [dp(x, mask, reverse=True, noise_scale=0.0), z, logdet]


def forward(net_g, net_d, dp):
    for net in (net_g, net_d, dp):
        net.eval()
    x, x_lengths, spec, spec_lengths, y, _ = batch(0)
    with torch.no_grad():
        y_hat, l_length, attn, ids_slice, x_mask, z_mask, parts = net_g(x, x_lengths, spec, spec_lengths)
        real, fake, fmap_r, fmap_g = net_d(y, y_hat)
        return {
            "y_hat": y_hat,
            "l_length": l_length,
            "attn": attn,
            "m_p": parts[2],
            "z_p": parts[1],
            "real": real,
            "fake": fake,
            "features": fmap_g[1],
            "infer": lambda: net_g.infer(x[:1], x_lengths[:1], noise_scale=0, max_len=30)[0],
            "flows": lambda: flows(dp),
        }


def train(net_g, net_d, dp):
    hps = settings()
    optim_g = torch.optim.AdamW(net_g.parameters(), 2e-4, betas=hps.train.betas, eps=1e-6)
    optim_d = torch.optim.AdamW(net_d.parameters(), 2e-4, betas=hps.train.betas, eps=1e-6)
    scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, gamma=hps.train.lr_decay, last_epoch=-1)
    scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, gamma=hps.train.lr_decay, last_epoch=-1)
    scaler = GradScaler(enabled=hps.train.fp16_run)
    training.global_step = 1
    for epoch in range(2):
        training.train_and_evaluate(
            0,
            epoch,
            hps,
            [net_g, net_d],
            [optim_g, optim_d],
            [scheduler_g, scheduler_d],
            scaler,
            [[batch(10 + epoch)], None],
            utils.logger,
            None,
        )
        scheduler_g.step()
        scheduler_d.step()
    net_g.eval()
    x, x_lengths, spec, spec_lengths, y, _ = batch(0)
    y_hat, l_length, *_ = net_g(x, x_lengths, spec, spec_lengths)
    return {
        "y_hat": y_hat,
        "l_length": l_length,
        "embedding": net_g.enc_p.emb.weight,
        "gain": net_g.dec.ups[0].weight_g,
        "query": net_g.enc_p.encoder.attn_layers[0].conv_q.weight,
        "relative": net_g.enc_p.encoder.attn_layers[0].emb_rel_k,
        "disc": net_d.discriminators[1].convs[0].weight_v,
        "duration": net_g.dp.proj.weight,
    }


def init():
    hps = settings()
    net = synthesizer(hps, False)
    return {"ups": net.dec.ups[0].weight_v, "key": net.enc_p.encoder.attn_layers[0].conv_k.weight}
