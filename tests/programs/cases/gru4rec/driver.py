import argparse
import os

import lib
import numpy as np
import torch

ITEMS, BATCH = 12, 4


class Clicks:
    """The columns of the table that the loader asks for."""

    def __init__(self, items):
        self.item_idx = argparse.Namespace(values=items)

    def __len__(self):
        return len(self.item_idx.values)


def sessions(seed, count=9):
    rng = np.random.RandomState(seed)
    lengths = rng.randint(2, 6, count)
    offsets = np.zeros(count + 1, dtype=np.int32)
    offsets[1:] = lengths.cumsum()
    return argparse.Namespace(
        df=Clicks(rng.randint(0, ITEMS, offsets[-1])), click_offsets=offsets, session_idx_arr=np.arange(count)
    )


def build():
    sizes = (ITEMS, 6, ITEMS)
    return (
        lib.GRU4REC(*sizes, num_layers=2, dropout_hidden=0.0, batch_size=BATCH),
        lib.GRU4REC(*sizes, final_act="elu-0.5", dropout_hidden=0.0, batch_size=BATCH, embedding_dim=5),
        lib.GRU4REC(*sizes, final_act="softmax_logit", dropout_hidden=0.0, batch_size=BATCH, embedding_dim=5),
    )


LOSSES = ("TOP1-max", "BPR-max", "CrossEntropy")


def forward(*models):
    results = {}
    for place, (model, name) in enumerate(zip(models, LOSSES)):
        model.eval()
        source, target, _ = next(iter(lib.DataLoader(sessions(place), BATCH)))
        logit, hidden = model(source, model.init_hidden())
        results[f"logit_{place}"] = logit
        results[f"hidden_{place}"] = hidden
        for loss in (name, "BPR", "TOP1"):
            results[f"{loss}_{place}"] = lib.LossFunction(loss)(logit[:, target.view(-1)])
        results[f"metrics_{place}"] = list(lib.evaluate(logit, target, k=10))
    return results


def train(*models):
    results = {}
    args = argparse.Namespace(k_eval=10, checkpoint_dir="checkpoints")
    os.makedirs(args.checkpoint_dir, exist_ok=True)
    for place, (model, kind, name) in enumerate(zip(models, ("Adagrad", "RMSProp", "Adam"), LOSSES)):
        optimizer = lib.Optimizer(model.parameters(), optimizer_type=kind, lr=0.02)
        loss = lib.LossFunction(name)
        trainer = lib.Trainer(model, sessions(5), sessions(6), optimizer, False, loss, BATCH, args)
        trainer.train(0, 1)
        saved = torch.load(os.path.join(args.checkpoint_dir, "model_00001.pt"), weights_only=False)
        results[f"saved_{place}"] = [float(saved[key]) for key in ("loss", "recall", "mrr")]
        results[f"out_{place}"] = model.h2o.weight
        results[f"gru_{place}"] = model.gru.weight_hh_l0
    return results
