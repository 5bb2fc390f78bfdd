import os
import runpy
import sys
from types import SimpleNamespace

import numpy as np
import torch

import model as models

USERS, ITEMS = 12, 30


def write_data():
    """Ratings and negative items, in the form of NCF's MovieLens."""
    random = np.random.RandomState(0)
    os.makedirs("made", exist_ok=True)
    with open("made/ml-1m.train.rating", "w") as file:
        for user in range(USERS):
            for item in random.permutation(ITEMS)[:6]:
                file.write(f"{user}\t{item}\t{random.randint(1, 6)}\t0\n")
    with open("made/ml-1m.test.negative", "w") as file:
        for user in range(USERS):
            items = random.permutation(ITEMS)[:15]
            others = "\t".join(str(item) for item in items[1:])
            file.write(f"({user},{items[0]})\t{others}\n")


def build():
    return models.BPR(USERS, ITEMS, 8)


def forward(net):
    user, item_i, item_j = torch.tensor([0, 3, 11]), torch.tensor([2, 9, 1]), torch.tensor([7, 0, 4])
    prediction_i, prediction_j = net(user, item_i, item_j)
    return {"i": prediction_i, "j": prediction_j}


def train(net):
    write_data()
    weights = {name: value.clone() for name, value in net.state_dict().items()}

    def started(user_num, item_num, factor_num):
        """What main.py makes begins with the weights of the net that is given."""
        made = models.BPR(user_num, item_num, factor_num)
        made.load_state_dict(weights)
        np.random.seed(3)  # making a net may draw from the generator that negative items are drawn from
        return made

    arguments = sys.argv
    sys.modules["model"] = SimpleNamespace(BPR=started)
    sys.argv = [
        "main.py", "--batch_size", "64", "--epochs", "2", "--factor_num", "8", "--top_k", "5",
        "--test_num_ng", "14", "--out", "", "--lr", "0.05",
    ]
    try:
        done = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "main.py"))
    finally:
        sys.modules["model"], sys.argv = models, arguments
    trained = done["model"]
    return {
        "loss": done["loss"],
        "HR": float(done["best_hr"]),
        "NDCG": float(done["best_ndcg"]),
        "users": trained.embed_user.weight,
        "items": trained.embed_item.weight,
    }


def init():
    torch.manual_seed(0)
    net = models.BPR(200, 300, 16)
    return {"users": net.embed_user.weight, "items": net.embed_item.weight}
