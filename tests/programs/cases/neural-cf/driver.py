import os
import random
import sys

import numpy as np
import pandas as pd
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))

import data as ncf_data  # noqa: E402
from data import SampleGenerator, UserItemRatingDataset  # noqa: E402
from gmf import GMFEngine  # noqa: E402
from metrics import MetronAtK  # noqa: E402
from mlp import MLPEngine  # noqa: E402
from neumf import NeuMFEngine  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

USERS, ITEMS = 6, 120
shared = {
    "num_epoch": 2, "batch_size": 16, "num_users": USERS, "num_items": ITEMS, "num_negative": 2, "use_cuda": False,
    "device_id": 0, "l2_regularization": 0.01, "pretrain": False,
    "model_dir": "checkpoints/{}_Epoch{}_HR{:.4f}_NDCG{:.4f}.model",
}  # fmt: skip
gmf_config = {**shared, "alias": "gmf", "optimizer": "adam", "adam_lr": 1e-2, "latent_dim": 5}
mlp_config = {
    **shared, "alias": "mlp", "optimizer": "sgd", "sgd_lr": 0.1, "sgd_momentum": 0.9, "latent_dim": 4,
    "layers": [8, 12, 6],
}  # fmt: skip
neumf_config = {
    **shared, "alias": "neumf", "optimizer": "rmsprop", "rmsprop_lr": 1e-2, "rmsprop_alpha": 0.99,
    "rmsprop_momentum": 0.5, "latent_dim_mf": 5, "latent_dim_mlp": 4, "layers": [8, 12, 6],
}  # fmt: skip
ENGINES = ((GMFEngine, gmf_config), (MLPEngine, mlp_config), (NeuMFEngine, neumf_config))


def ratings():
    rng = np.random.RandomState(0)
    rows = [(user, item, rng.randint(1, 6), rng.randint(10**6)) for user in range(USERS) for item in rng.permutation(20)[:8]]
    rows += [(0, item, 3, 1) for item in range(20, ITEMS)]
    frame = pd.DataFrame(rows, columns=["userId", "itemId", "rating", "timestamp"])
    return frame.drop_duplicates(["userId", "itemId"])[lambda kept: (kept.userId > 0) | (kept.itemId < 18)].reset_index(drop=True)


def generator():
    random.seed(0)
    frame = ratings()
    frame.loc[len(frame)] = [1, ITEMS - 1, 5, 2]
    made = SampleGenerator.__new__(SampleGenerator)
    made.ratings = frame
    made.preprocess_ratings = frame.assign(rating=1.0)
    made.user_pool, made.item_pool = set(frame.userId.unique()), set(range(ITEMS))
    made.negatives = made._sample_negative(frame)
    made.train_ratings, made.test_ratings = made._split_loo(made.preprocess_ratings)
    return made


def engines(nets):
    made = []
    for (engine, config), net in zip(ENGINES, nets):
        one = engine(dict(config))
        one.model.load_state_dict(net.state_dict())
        made.append(one)
    return made


def build():
    return tuple(engine(dict(config)).model for engine, config in ENGINES)


def batch():
    rng = np.random.RandomState(3)
    return torch.LongTensor(rng.randint(0, USERS, 7).tolist()), torch.LongTensor(rng.randint(0, ITEMS, 7).tolist())


def forward(gmf, mlp, neumf):
    for net in (gmf, mlp, neumf):
        net.eval()
    metron = MetronAtK(top_k=2)
    metron.subjects = [[0, 1], [5, 6], [0.5, 0.1], [0, 0, 1, 1], [1, 2, 3, 4], [0.4, 0.6, 0.3, 0.2]]
    loader = generator().instance_a_train_loader(2, 16)
    return {
        "gmf": lambda: gmf(*batch()),
        "mlp": lambda: mlp(*batch()),
        "neumf": lambda: neumf(*batch()),
        "hits": lambda: np.array([metron.cal_hit_ratio(), metron.cal_ndcg()]),
        "users": lambda: torch.bincount(loader.dataset.user_tensor),
        "ratings": lambda: sum(rating.sum() for _, _, rating in loader),
        "batches": lambda: len(loader),
        "negatives": lambda: torch.stack(generator().evaluate_data[2:]),
    }


def epoch_loader(made):
    """That of instance_a_train_loader, in order."""
    dataset = made.instance_a_train_loader(2, 16).dataset
    tensors = dataset.user_tensor, dataset.item_tensor, dataset.target_tensor
    return DataLoader(UserItemRatingDataset(*tensors), batch_size=16, shuffle=False)


def train(*nets):
    results = {}
    made = generator()
    evaluate_data = made.evaluate_data
    os.makedirs("checkpoints", exist_ok=True)
    for engine, name in zip(engines(nets), ("gmf", "mlp", "neumf")):
        random.seed(1)
        for epoch in range(2):
            engine.train_an_epoch(epoch_loader(made), epoch_id=epoch)
            hit_ratio, ndcg = engine.evaluate(evaluate_data, epoch_id=epoch)
        engine.save(engine.config["alias"], 1, 0.5, 0.25)
        user, item, rating = next(iter(epoch_loader(made)))
        results[name + "_loss"] = engine.train_single_batch(user, item, rating.float())
        results[name + "_scores"] = np.array([hit_ratio, ndcg])
        results[name + "_output"] = engine.model.affine_output.weight
    pretrained = dict(
        neumf_config, pretrain=True, latent_dim_mf=5, optimizer="adam", adam_lr=1e-2,
        pretrain_mf="checkpoints/gmf_Epoch1_HR0.5000_NDCG0.2500.model",
        pretrain_mlp="checkpoints/mlp_Epoch1_HR0.5000_NDCG0.2500.model",
    )  # fmt: skip
    tuned = NeuMFEngine(pretrained)
    for own, given in zip(tuned.model.fc_layers, nets[2].fc_layers):
        own.bias.data.copy_(given.bias.data)  # load_pretrain_weights leaves them as they are drawn
    results["pretrained"] = tuned.model.affine_output.weight.clone()
    for epoch in range(2):
        tuned.train_an_epoch(epoch_loader(made), epoch_id=epoch)
    results["tuned"] = tuned.model.embedding_user_mlp.weight
    results["tuned_fc"] = tuned.model.fc_layers[1].weight
    results["workers"] = len(ncf_data.random.sample(range(9), 3))
    return results
