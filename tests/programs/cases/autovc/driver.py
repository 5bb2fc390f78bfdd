import argparse
import os
import pickle
import random

import numpy as np
import torch

import data_loader
from model_bl import D_VECTOR
from solver_encoder import Solver

SPEAKERS, FRAMES, BATCH = 4, 32, 2


def config():
    return argparse.Namespace(
        lambda_cd=1.0, dim_neck=4, dim_emb=6, dim_pre=8, freq=16, batch_size=BATCH, num_iters=3, log_step=1
    )


def build():
    return Solver(None, config()).G, D_VECTOR(num_layers=2, dim_input=8, dim_cell=6, dim_emb=6)


def spectra(seed):
    rng = np.random.RandomState(seed)
    values, speakers = rng.rand(BATCH, FRAMES, 80), rng.randn(BATCH, 6)
    return torch.from_numpy(values.astype("float32")), torch.from_numpy(speakers.astype("float32"))


def forward(generator, speaker):
    generator.eval()
    speaker.eval()
    values, embedding = spectra(0)
    return {
        "converted": lambda: generator(values, embedding, embedding.flip(0)),
        "codes": lambda: generator(values, embedding, None),
        "speaker": lambda: speaker(values[:, :, :8]),
    }


def loader():
    """The repository's data set, of one utterance for each speaker, in its order."""
    rng = np.random.RandomState(1)
    rows = []
    for number in range(SPEAKERS):
        name = f"speaker{number}.npy"
        np.save(os.path.join("spectra", name), rng.rand(FRAMES, 80).astype("float32"))
        rows.append([f"speaker{number}", rng.randn(6).astype("float32"), name])
    with open(os.path.join("spectra", "train.pkl"), "wb") as file:
        pickle.dump(rows, file)
    random.seed(2)
    np.random.seed(2)
    dataset = data_loader.Utterances("spectra", FRAMES)
    return torch.utils.data.DataLoader(dataset=dataset, batch_size=BATCH, shuffle=False, drop_last=True)


def train(generator, speaker):
    os.makedirs("spectra", exist_ok=True)
    solver = Solver(loader(), config())
    solver.G.load_state_dict(generator.state_dict())
    solver.train()
    solver.G.eval()
    values, embedding = spectra(3)
    return {
        "converted": solver.G(values, embedding, embedding)[1],
        "encoder": solver.G.encoder.lstm.weight_hh_l1_reverse,
        "decoder": solver.G.decoder.linear_projection.linear_layer.weight,
        "postnet": solver.G.postnet.convolutions[4][1].running_mean,
    }
