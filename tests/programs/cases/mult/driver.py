import argparse
import os
import tempfile

import numpy as np
import torch
from torch import nn, optim
from torch.optim.lr_scheduler import ReduceLROnPlateau

from src import ctc, models
from src.train import train_model

hyp_params = argparse.Namespace(
    model="MULT", orig_d_l=12, orig_d_a=5, orig_d_v=7, vonly=True, aonly=True, lonly=True, num_heads=5, layers=2,
    attn_dropout=0.0, attn_dropout_a=0.0, attn_dropout_v=0.0, relu_dropout=0.0, res_dropout=0.0, out_dropout=0.0,
    embed_dropout=0.0, attn_mask=True, output_dim=1, use_cuda=False, dataset="made", batch_size=4, batch_chunk=1,
    n_train=8, n_valid=4, n_test=4, clip=0.8, log_interval=1, num_epochs=2, name="mult", aligned=True, lr=1e-3, when=20,
    optim="Adam", criterion="L1Loss",
)  # fmt: skip


def build():
    return models.MULTModel(hyp_params), ctc.CTCModule(in_dim=hyp_params.orig_d_a, out_seq_len=6)


def tensor(rng, *shape):
    return torch.from_numpy(rng.randn(*shape).astype("float32"))


def batch(seed, count=4):
    rng = np.random.RandomState(seed)
    text, audio, vision = tensor(rng, count, 6, 12), tensor(rng, count, 9, 5), tensor(rng, count, 8, 7)
    return (torch.arange(count), text, audio, vision), tensor(rng, count, 1, 1), None


def init():
    torch.manual_seed(1)
    fresh, _ = build()
    return {
        "in_proj": fresh.trans_l_mem.layers[0].self_attn.in_proj_weight,
        "fc1": fresh.trans_l_mem.layers[0].fc1.weight,
    }


def forward(model, aligner):
    model.eval()
    aligner.eval()
    _, text, audio, vision = batch(0)[0]
    return {
        "prediction": lambda: model(text, audio, vision)[0],
        "hidden": lambda: model(text, audio, vision)[1],
        "attention": lambda: model.trans_l_mem.layers[0].self_attn(
            *[tensor(np.random.RandomState(3), 5, 2, 60)] * 3
        ),
        "aligned": lambda: aligner(audio)[0],
        "positions": lambda: aligner(audio)[1],
    }


def train(model, aligner):
    optimizer = getattr(optim, hyp_params.optim)(model.parameters(), lr=hyp_params.lr)
    settings = {
        "model": model,
        "optimizer": optimizer,
        "criterion": getattr(nn, hyp_params.criterion)(),
        "ctc_a2l_module": None,
        "ctc_v2l_module": None,
        "ctc_a2l_optimizer": None,
        "ctc_v2l_optimizer": None,
        "ctc_criterion": None,
        "scheduler": ReduceLROnPlateau(optimizer, mode="min", patience=hyp_params.when, factor=0.1),
    }
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "pre_trained_models"))
        os.chdir(folder)
        try:
            train_model(settings, hyp_params, [batch(1), batch(2)], [batch(3)], [batch(4)])
        finally:
            os.chdir(here)
    (_, text, audio, vision), target, _ = batch(5)
    model.eval()
    prediction, _ = model(text, audio, vision)
    return {
        "loss": settings["criterion"](prediction, target.squeeze(-1)).item(),
        "rate": optimizer.param_groups[0]["lr"],
        "in_proj": model.trans_l_mem.layers[0].self_attn.in_proj_weight,
        "out": model.out_layer.weight,
    }
