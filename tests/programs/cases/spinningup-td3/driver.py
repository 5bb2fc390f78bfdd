import os
import sys
import tempfile
import types

import numpy as np
import torch
from gym.spaces import Box

STATE, ACTION = 5, 2


class World:
    """The only process there is."""

    def Get_rank(self):
        return 0

    def Get_size(self):
        return 1

    def Allreduce(self, given, result, op=None):
        result[...] = given

    def Bcast(self, given, root=0):
        pass


mpi = types.ModuleType("mpi4py")
mpi.MPI = types.SimpleNamespace(COMM_WORLD=World(), SUM="sum", MIN="min", MAX="max")
sys.modules["mpi4py"] = mpi

from spinup.algos.pytorch.td3 import core
from spinup.algos.pytorch.td3.td3 import td3


class Space(Box):
    def __init__(self, size, seed):
        self.shape = (size,)
        self.high = np.full(size, 1.5, dtype="float32")
        self.rng = np.random.RandomState(seed)

    def sample(self):
        return self.rng.uniform(-1.5, 1.5, self.shape)


class Environment:
    """Episodes of six steps whose states do not depend on the actions."""

    def __init__(self):
        self.observation_space, self.action_space = Space(STATE, 1), Space(ACTION, 2)
        self.rng = np.random.RandomState(3)
        self.steps = 0

    def reset(self):
        self.steps = 0
        return self.rng.randn(STATE)

    def step(self, action):
        self.steps += 1
        return self.rng.randn(STATE), float(self.rng.randn()), self.steps == 6, {}


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def logged(folder):
    """The columns of the progress file, without the time."""
    with open(os.path.join(folder, "progress.txt")) as file:
        header, *lines = [line.rstrip("\n").split("\t") for line in file]
    columns = {name: np.array([float(line[place]) for line in lines]) for place, name in enumerate(header)}
    columns.pop("Time")
    return columns


def build():
    return core.MLPActorCritic(Space(STATE, 1), Space(ACTION, 2), hidden_sizes=(16, 8))


def forward(ac):
    state, action = rows(0, 4, STATE), rows(1, 4, ACTION)
    return {
        "pi": ac.pi(state),
        "q1": ac.q1(state, action),
        "q2": ac.q2(state, action),
        "act": ac.act(rows(2, 1, STATE)[0]),
        "variables": np.array(core.count_vars(ac)),
    }


def train(ac):
    with tempfile.TemporaryDirectory() as folder:
        td3(
            Environment,
            actor_critic=lambda *spaces, **settings: ac,
            steps_per_epoch=20,
            epochs=2,
            batch_size=8,
            start_steps=5,
            update_after=10,
            update_every=5,
            target_noise=0.0,
            num_test_episodes=1,
            replay_size=100,
            max_ep_len=50,
            logger_kwargs={"output_dir": folder, "exp_name": "td3"},
        )
        columns = logged(folder)
    return {**columns, "pi": ac.pi.pi[0].weight, "q1": ac.q1.q[2].weight, "q2": ac.q2.q[4].bias}
