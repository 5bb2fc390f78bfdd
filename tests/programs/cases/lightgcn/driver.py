import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "code"))
given = sys.argv
sys.argv = [
    "main.py", "--bpr_batch", "16", "--recdim", "8", "--layer", "2", "--lr", "0.01", "--decay", "0.01",
    "--testbatch", "5", "--topks", "[3,5]", "--tensorboard", "0", "--a_fold", "3",
]  # fmt: skip

import dataloader
import model
import Procedure
import torch
import utils
import world

sys.argv = given
USERS, ITEMS = 12, 20


def interactions():
    """A folder with who took what, as those of the repository."""
    folder = tempfile.mkdtemp()
    random = np.random.RandomState(1)
    with open(os.path.join(folder, "train.txt"), "w") as train, open(os.path.join(folder, "test.txt"), "w") as test:
        for user in range(USERS):
            items = random.permutation(ITEMS)[: 4 + user % 3]
            train.write(" ".join(str(x) for x in [user, *items[:-2]]) + "\n")
            test.write(" ".join(str(x) for x in [user, *items[-2:]]) + "\n")
    return dataloader.Loader(path=folder)


dataset = interactions()
MODELS = {"mf": model.PureMF, "lgn": model.LightGCN}


def build():
    lgn = MODELS["lgn"](world.config, dataset)
    mf = MODELS["mf"](world.config, dataset)
    folds = interactions()
    folds.split = True
    split = MODELS["lgn"](dict(world.config, A_split=True), folds)
    return lgn.to(world.device), mf.to(world.device), split.to(world.device)


def forward(lgn, mf, split):
    users, items = torch.arange(0, 6), torch.arange(3, 9)
    for net in (lgn, mf, split):
        net.eval()
    with torch.no_grad():
        everyone, everything = lgn.computer()
        return {
            "users": everyone,
            "items": everything,
            "scores": lgn(users, items),
            "rating": lgn.getUsersRating(users),
            "mf": mf(users, items),
            "split": lambda: split(users, items),
            "loss": lambda: list(lgn.bpr_loss(users, items, items + 5)),
            "graph": lambda: dataset.getSparseGraph().to_dense(),
        }


def train(lgn, mf, split):
    result = {}
    for name, net in (("lgn", lgn), ("mf", mf), ("split", split)):
        np.random.seed(7)
        bpr = utils.BPRLoss(net, world.config)
        said = [Procedure.BPR_train_original(dataset, net, bpr, epoch) for epoch in range(2)]
        result[name + "_losses"] = [float(line[len("loss") :].split("-")[0]) for line in said]
        result[name + "_user"] = net.embedding_user.weight
        result[name + "_item"] = net.embedding_item.weight
        scores = Procedure.Test(dataset, net, 0)
        result[name + "_recall"] = scores["recall"]
        result[name + "_ndcg"] = scores["ndcg"]
    return result


def init():
    net = MODELS["lgn"](world.config, dataset)
    return {"user": net.embedding_user.weight, "item": net.embedding_item.weight}
