import json
import os
import random

import numpy as np
import torch

import deep_sdf
import deep_sdf.workspace as ws
import reconstruct
import train_deep_sdf as training
from networks.deep_sdf_decoder import Decoder

LATENT, SCENES, FOLDER = 6, 4, "experiment"
NETWORK = {
    "dims": [24, 24, 24, 24], "dropout": [0, 1, 2, 3], "dropout_prob": 0.0, "norm_layers": [0, 1, 2, 3],
    "latent_in": [2], "xyz_in_all": False, "use_tanh": False, "latent_dropout": False, "weight_norm": True,
}  # fmt: skip
SPECS = {
    "Description": "some balls", "DataSource": "data", "TrainSplit": "split.json", "NetworkArch": "deep_sdf_decoder",
    "NetworkSpecs": NETWORK, "CodeLength": LATENT, "NumEpochs": 3, "SnapshotFrequency": 2, "AdditionalSnapshots": [1],
    "LearningRateSchedule": [
        {"Type": "Step", "Initial": 0.0005, "Interval": 2, "Factor": 0.5},
        {"Type": "Warmup", "Initial": 0.001, "Final": 0.0005, "Length": 2},
    ],
    "SamplesPerScene": 16, "ScenesPerBatch": 2, "DataLoaderThreads": 0, "ClampingDistance": 0.1, "LogFrequency": 3,
    "CodeRegularization": True, "CodeRegularizationLambda": 1e-4, "CodeBound": 1.0, "GradientClipNorm": 5.0,
}  # fmt: skip


def build():
    other = {**NETWORK, "weight_norm": False, "xyz_in_all": True, "latent_in": [], "use_tanh": True}
    return Decoder(LATENT, **NETWORK), Decoder(LATENT, **other)


def samples(seed):
    """Points with their distance to a ball, those outside and those inside."""
    rng = np.random.RandomState(seed)
    points = rng.uniform(-1, 1, (120, 3))
    distances = np.linalg.norm(points, axis=1, keepdims=True) - 0.6 - 0.1 * seed / SCENES
    both = np.concatenate([points, distances], axis=1).astype("float32")
    return both[both[:, 3] > 0], both[both[:, 3] < 0]


def written():
    folder = os.path.join("data", ws.sdf_samples_subdir, "made", "balls")
    os.makedirs(folder, exist_ok=True)
    os.makedirs(FOLDER, exist_ok=True)
    names = [f"ball{number}" for number in range(SCENES)]
    for number, name in enumerate(names):
        pos, neg = samples(number)
        pos[3] = np.nan
        np.savez(os.path.join(folder, name + ".npz"), pos=pos, neg=neg)
    with open("split.json", "w") as f:
        json.dump({"made": {"balls": names}}, f)
    with open(os.path.join(FOLDER, "specs.json"), "w") as f:
        json.dump(SPECS, f)


def codes(seed, count):
    return torch.from_numpy(0.5 * np.random.RandomState(seed).randn(count, LATENT).astype("float32"))


def forward(decoder, other):
    for net in (decoder, other):
        net.eval()
    queries = torch.from_numpy(samples(0)[0][:5, :3])
    return {
        "sdf": decoder(torch.cat([codes(0, 5), queries], 1)),
        "other": lambda: other(torch.cat([codes(0, 5), queries], 1)),
        "decoded": lambda: deep_sdf.utils.decode_sdf(decoder, codes(1, 1), queries),
    }


def started(decoder):
    """The checkpoint that training goes on from."""
    parallel = torch.nn.DataParallel(decoder)
    lat_vecs = torch.nn.Embedding(SCENES, LATENT, max_norm=1.0)
    lat_vecs.weight.data.copy_(codes(2, SCENES))
    schedules = training.get_learning_rate_schedules(SPECS)
    optimizer = torch.optim.Adam(
        [
            {"params": parallel.parameters(), "lr": schedules[0].get_learning_rate(0)},
            {"params": lat_vecs.parameters(), "lr": schedules[1].get_learning_rate(0)},
        ]
    )
    training.save_model(FOLDER, "0.pth", parallel, 0)
    training.save_optimizer(FOLDER, "0.pth", optimizer, 0)
    training.save_latent_vectors(FOLDER, "0.pth", lat_vecs, 0)
    training.save_logs(FOLDER, [], [], [], [], {}, 0)


def train(decoder, other):
    written()
    started(decoder)
    training.main_function(FOLDER, "0", 2)
    loss, rates, _, magnitudes, parameters, epoch = training.load_logs(FOLDER)
    trained, _ = ws.load_decoder(FOLDER, SPECS, "latest")
    latents = ws.load_latent_vectors(FOLDER, "latest")

    def reconstructed():
        random.seed(0)
        torch.manual_seed(0)
        sdf = [torch.from_numpy(part) for part in samples(7)]
        error, latent = reconstruct.reconstruct(
            trained, 4, LATENT, sdf, [codes(3, 1)[0], 1e-9 * torch.ones(LATENT)], 0.1, num_samples=20, lr=5e-3, l2reg=True
        )
        return [float(error), latent]

    return {
        "losses": loss,
        "rates": np.array(rates),
        "magnitudes": [float(one) for one in magnitudes],
        "norms": [parameters[name][-1] for name in sorted(parameters)],
        "latents": latents,
        "weight": trained.module.lin4.weight,
        "reconstructed": reconstructed,
    }
