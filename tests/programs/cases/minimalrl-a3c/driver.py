import numpy as np
import torch

import a3c


class Environment:
    """Five steps an episode; the actions change nothing."""

    def __init__(self):
        self.rng = np.random.RandomState(4)
        self.steps = 0

    def reset(self):
        self.steps = 0
        return self.rng.randn(4).astype("float32")

    def step(self, action):
        self.steps += 1
        return self.rng.randn(4).astype("float32"), 1.0, self.steps == 5, {}

    def close(self):
        pass


class Gym:
    @staticmethod
    def make(name):
        return Environment()


def build():
    shared = a3c.ActorCritic()
    # The actions are drawn: of these two the first one always is.
    shared.fc_pi.weight.data.fill_(0.0)
    shared.fc_pi.bias.data.copy_(torch.tensor([60.0, -60.0]))
    return shared


def forward(shared):
    x = torch.from_numpy(np.random.RandomState(0).randn(6, 4).astype("float32"))
    return {
        "a3c_v": shared.v(x),
        "a3c_pi": shared.pi(x, softmax_dim=1),
    }


def train(shared):
    a3c.gym = Gym
    a3c.max_train_ep = 3
    a3c.train(shared, 1)
    return {"fc_v": shared.fc_v.weight, "fc1": shared.fc1.weight, "fc_pi": shared.fc_pi.bias}
