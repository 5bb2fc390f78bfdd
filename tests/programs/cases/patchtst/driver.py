import os
import sys
import tempfile
from types import SimpleNamespace

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "PatchTST_supervised"))

from exp.exp_main import Exp_Main

CHANNELS, LENGTH, AHEAD = 3, 32, 8
FOLDER = tempfile.mkdtemp()


def settings(**more):
    given = dict(
        model="PatchTST", features="M", seq_len=LENGTH, label_len=4, pred_len=AHEAD, enc_in=CHANNELS, e_layers=2,
        n_heads=2, d_model=8, d_ff=16, dropout=0.0, fc_dropout=0.0, head_dropout=0.0, individual=0, patch_len=8,
        stride=4, padding_patch="end", revin=1, affine=1, subtract_last=0, decomposition=0, kernel_size=5,
        use_gpu=False, use_multi_gpu=False, use_amp=False, learning_rate=0.002, train_epochs=2, pct_start=0.3,
        lradj="TST", patience=3, output_attention=False, checkpoints=FOLDER,
    )  # fmt: skip
    given.update(more)
    return SimpleNamespace(**given)


EXPERIMENTS = {
    "plain": settings(),
    "own_heads": settings(individual=1, subtract_last=1, lradj="type3"),
    "decomposed": settings(decomposition=1, affine=0, padding_patch=None, lradj="type1", pct_start=0.5),
    "linear": settings(model="DLinear", lradj="3"),
}


def build():
    return tuple(Exp_Main(args).model for args in EXPERIMENTS.values())


def series(seed, count):
    batches = []
    for place in range(count):
        random = np.random.RandomState(seed + place)
        batch = [random.randn(3, LENGTH, CHANNELS), random.randn(3, AHEAD + 4, CHANNELS)]
        batch += [random.rand(3, LENGTH, 4), random.rand(3, AHEAD + 4, 4)]
        batches.append([torch.from_numpy(part) for part in batch])
    return batches


def forward(*nets):
    outputs = {}
    for name, net in zip(EXPERIMENTS, nets):
        net.eval()
        outputs[name] = net(series(0, 1)[0][0].float())
    return outputs


def train(*nets):
    result = {}
    for (name, args), net in zip(EXPERIMENTS.items(), nets):
        experiment = Exp_Main(args)
        experiment.model = net

        def batches(flag):
            return None, series({"train": 10, "val": 20, "test": 30}[flag], 2)

        experiment._get_data = batches
        trained = experiment.train(name)
        result[name + "_loss"] = experiment.vali(None, series(40, 1), experiment._select_criterion())
        for place, (key, value) in enumerate(trained.named_parameters()):
            if place < 4 or key.endswith(("W_P.weight", "linear.weight", "norm_ffn.1.weight", "W_Q.weight")):
                result[name + "_" + key] = value
    return result


def init():
    net = Exp_Main(EXPERIMENTS["plain"]).model.model
    return {"patches": net.backbone.W_P.weight, "positions": net.backbone.W_pos}
