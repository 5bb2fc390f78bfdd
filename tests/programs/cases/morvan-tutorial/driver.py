import importlib
import os
import sys
import types

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tutorial-contents"))


class Space:
    n, shape = 2, (4,)

    def sample(self):
        return 1


class Environment:
    """Episodes of one step, so that the script that is imported fills no memory and learns nothing."""

    action_space, observation_space = Space(), Space()
    x_threshold, theta_threshold_radians = 2.4, 0.2

    def __init__(self):
        self.unwrapped = self

    def reset(self):
        return np.zeros(4)

    def render(self):
        pass

    def step(self, action):
        return np.ones(4), 1.0, True, {}


sys.modules["gym"] = types.SimpleNamespace(make=lambda name: Environment())

dqn_script = importlib.import_module("405_DQN_Reinforcement_learning")
regressor = importlib.import_module("403_RNN_regressor")


def build():
    dqn_script.dqn = dqn_script.DQN()
    return dqn_script.dqn.eval_net, regressor.RNN()


def rows(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(q, rnn):
    prediction, state = rnn(rows(1, 1, 10, 1), None)
    return {"q": q(rows(0, 5, 4)), "prediction": prediction, "state": state}


def train(q, rnn):
    np.random.seed(0)
    dqn = dqn_script.dqn
    rng = np.random.RandomState(3)
    for _ in range(dqn_script.MEMORY_CAPACITY):
        dqn.store_transition(rng.randn(4), rng.randint(2), rng.rand(), rng.randn(4))
    actions = [dqn.choose_action(rng.randn(4)) for _ in range(8)]
    for _ in range(4):
        dqn.learn()
    return {
        "actions": np.array(actions),
        "q": q.fc1.weight,
        "target": dqn.target_net.out.weight,
    }
