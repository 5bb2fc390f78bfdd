import numpy as np
import torch

from model import make_model
from optim import LabelSmoothing, get_std_opt
from train import Batch, SimpleLossCompute, run_epoch

V, D_MODEL = 17, 32


def build():
    return make_model(V, V, d_model=D_MODEL, dropout=0.0)


def init():
    model = make_model(V, V, d_model=D_MODEL)
    return {"linear": model.encoder.layers[0].self_attn.linears[0].weight, "embedding": model.src_embed[0].lut.weight}


def batch(seed):
    data = np.random.RandomState(seed).randint(1, V, (6, 9)).astype("int64")
    data[:, 0] = 1
    data[:2, -3:] = 0
    data = torch.from_numpy(data)
    return Batch(data, data, 0)


def forward(model):
    model.eval()
    b = batch(0)
    out = model(b.src, b.trg, b.src_mask, b.trg_mask)
    memory = model.encode(b.src, b.src_mask)
    return {"out": out, "memory": memory, "log_probabilities": model.generator(out)}


def train(model):
    model.train()
    opt = get_std_opt(model, D_MODEL)
    criterion = LabelSmoothing(size=V, padding_idx=0, smoothing=0.1)
    compute = SimpleLossCompute(model.generator, criterion, opt)
    mean, losses = run_epoch((batch(seed) for seed in range(1, 5)), model, compute)
    return {
        "losses": losses,
        "mean": mean,
        "rate": opt._rate,
        "proj": model.generator.proj.weight,
        "embedding": model.src_embed[0].lut.weight,
    }
