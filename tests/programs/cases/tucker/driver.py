import os

import numpy as np
import torch

import main as script
from load_data import Data
from model import TuckER

# A small knowledge graph in the form of WN18.
rng = np.random.RandomState(0)
os.makedirs("data/toy", exist_ok=True)
for split, count in (("train", 60), ("valid", 10), ("test", 10)):
    with open(f"data/toy/{split}.txt", "w") as f:
        for _ in range(count):
            f.write("e{:02d}\tr{}\te{:02d}\n".format(rng.randint(20), rng.randint(4), rng.randint(20)))

data = Data(data_dir="data/toy/", reverse=True)
NO_DROPOUT = {"input_dropout": 0.0, "hidden_dropout1": 0.0, "hidden_dropout2": 0.0}


def build():
    return TuckER(data, 12, 6, **NO_DROPOUT)


def forward(net):
    net.eval()
    e1 = torch.tensor([0, 3, 5, 7])
    r = torch.tensor([1, 0, 2, 3])
    return {"scores": net.forward(e1, r)}


class Started(TuckER):
    """What Experiment makes begins with the weights of the net that is given."""

    last = None
    weights = None

    def init(self):
        super().init()
        self.load_state_dict(Started.weights)
        Started.last = self


def train(net):
    losses = []
    net.train()
    experiment = script.Experiment(
        learning_rate=0.005,
        ent_vec_dim=12,
        rel_vec_dim=6,
        num_iterations=2,
        batch_size=16,
        decay_rate=0.9,
        label_smoothing=0.1,
        input_dropout=0.0,
        hidden_dropout1=0.0,
        hidden_dropout2=0.0,
    )
    Started.weights = {name: value.clone() for name, value in net.state_dict().items()}
    script.d, script.TuckER = data, Started
    np.random.seed(3)
    experiment.train_and_eval()
    last = Started.last
    last.train()
    e1, r = torch.tensor([0, 3, 5, 7]), torch.tensor([1, 0, 2, 3])
    losses.append(last.loss(last.forward(e1, r), torch.zeros(4, len(data.entities))).item())
    return {"losses": losses, "core": last.W, "entities": last.E.weight, "norm": last.bn1.weight}


def init():
    torch.manual_seed(0)
    net = TuckER(data, 60, 60, **NO_DROPOUT)
    net.init()
    return {"entities": net.E.weight, "relations": net.R.weight}
