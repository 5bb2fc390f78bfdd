import importlib
import os
import sys

import numpy as np
import torch

USERS, ITEMS = 7, 24
rng = np.random.RandomState(0)
os.makedirs("NCF-Data", exist_ok=True)
with open("NCF-Data/ml-1m.train.rating", "w") as train_file, open("NCF-Data/ml-1m.test.negative", "w") as test_file:
    for user in range(USERS):
        items = rng.permutation(ITEMS)
        for item in items[:6]:
            train_file.write(f"{user}\t{item}\t5\t0\n")
        negatives = "\t".join(str(item) for item in items[7:18])
        test_file.write(f"({user},{items[6]})\t{negatives}\n")
    train_file.write(f"{USERS - 1}\t{ITEMS - 1}\t5\t0\n")

import config  # noqa: E402
from model import NCF  # noqa: E402

ARGUMENTS = "main.py --batch_size 32 --epochs 2 --top_k 12 --factor_num 4 --num_layers 2 --num_ng 3 --test_num_ng 11 --lr 0.01"
KINDS = ("GMF", "MLP", "NeuMF-end")


def made(kind, gmf=None, mlp=None):
    return NCF(USERS, ITEMS, 4, 2, 0.0, kind, gmf, mlp)


def build():
    return tuple(made(kind) for kind in KINDS)


def init():
    torch.manual_seed(1)
    net = NCF(60, 60, 8, 3, 0.0, "NeuMF-end")
    return {"embed": net.embed_user_MLP.weight, "layer": net.MLP_layers[1].weight, "predict": net.predict_layer.weight}


def forward(*nets):
    user, item = (torch.from_numpy(np.random.RandomState(1).randint(0, most, 9)) for most in (USERS, ITEMS))
    outputs = {}
    for kind, net in zip(KINDS, nets):
        net.eval()
        outputs[kind] = lambda net=net: net(user, item)
    outputs["pretrained"] = lambda: made("NeuMF-pre", nets[0], nets[1])(user, item)
    return outputs


def run(kind, net):
    """The script trains while it is run."""
    if net is not None:
        torch.save(net.state_dict(), "begin.pth")
    elif os.path.exists("begin.pth"):
        os.remove("begin.pth")
    config.model = kind
    arguments = sys.argv
    sys.argv = ARGUMENTS.split()
    sys.modules.pop("main", None)
    # The script gives the name of its module of models to its model.
    script = importlib.import_module("main")
    sys.argv = arguments
    # No gain that tells the order of items: those that no unit answers to have equal scores, in any order.
    return [
        script.best_hr,
        script.count,
        script.loss.item(),
        script.model.embed_user_GMF.weight,
        script.model.MLP_layers[1].weight,
        script.model.predict_layer.bias,
    ]


def train(gmf, mlp, neumf):
    results = {}
    for kind, net in (("GMF", gmf), ("MLP", mlp), ("NeuMF-end", neumf), ("NeuMF-pre", None)):
        results[kind] = run(kind, net)
    return results
