import argparse

import numpy as np
import torch

from caser import Caser
from evaluation import evaluate_ranking
from interactions import Interactions
from train_caser import Recommender
from utils import set_seed

rng = np.random.RandomState(0)
# The item that comes last into the map is only in the training data, as the repository's index of items needs it.
for name, count in (("train.txt", 9), ("test.txt", 3)):
    with open(name, "w") as file:
        for user in range(8):
            items = rng.permutation(15)[:count] if name == "train.txt" and user else rng.permutation(8)[:count]
            for item in range(9) if name == "train.txt" and not user else items:
                file.write("%d %d 1.0\n" % (user, item))

config = argparse.Namespace(d=8, nv=2, nh=3, drop=0.0, ac_conv="relu", ac_fc="relu", L=4)


def data():
    train = Interactions("train.txt")
    train.to_sequence(config.L, 2)
    test = Interactions("test.txt", user_map=train.user_map, item_map=train.item_map)
    return train, test


def build():
    train, _ = data()
    return Caser(train.num_users, train.num_items, config)


def init():
    torch.manual_seed(3)
    net = Caser(40, 50, argparse.Namespace(**{**vars(config), "d": 20}))
    return {"user": net.user_embeddings.weight, "fc1": net.fc1.weight, "conv": net.conv_v.weight}


def numbers(seed, top, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randint(0, top, shape)).long()


def forward(net):
    return {
        "scores": net(numbers(0, 10, 5, 4), numbers(1, 8, 5, 1), numbers(2, 10, 5, 3)),
        "predicted": net(numbers(0, 10, 1, 4), numbers(1, 8, 1, 1), numbers(2, 10, 6, 1), for_pred=True),
    }


def train(net):
    training, test = data()
    model = Recommender(
        n_iter=2, batch_size=16, learning_rate=1e-2, l2=1e-4, neg_samples=2, model_args=config, use_cuda=False
    )
    model._initialize(training)
    model._net.load_state_dict(net.state_dict())
    set_seed(7)
    model.fit(training, test, verbose=True)
    precision, recall, mean_aps = evaluate_ranking(model, test, training, k=[1, 5])
    return {
        "predictions": model.predict(2),
        "recall": np.mean(recall[1]),
        "aps": mean_aps,
        "items": model._net.item_embeddings.weight,
        "W2": model._net.W2.weight,
        "conv": model._net.conv_h[1].weight,
    }
