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

from spinup.algos.pytorch.ppo import core
from spinup.algos.pytorch.ppo.ppo import ppo


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
    for name in ("Time", "KL", "DeltaLossPi", "DeltaLossV"):
        columns.pop(name, None)  # small differences of large numbers
    return columns


class SteadyActorCritic(core.MLPActorCritic):
    """Draws its actions from NumPy's numbers, so that both sides draw the same ones."""

    def step(self, obs):
        noise = torch.as_tensor(self.rng.randn(ACTION), dtype=torch.float32)
        with torch.no_grad():
            pi = self.pi._distribution(obs)
            a = pi.mean + pi.stddev * noise
            logp_a = self.pi._log_prob_from_distribution(pi, a)
            v = self.v(obs)
        return a.numpy(), v.numpy(), logp_a.numpy()


def build():
    return SteadyActorCritic(Space(STATE, 1), Space(ACTION, 2), hidden_sizes=(16, 8))


def forward(ac):
    pi, logp = ac.pi(rows(0, 4, STATE), rows(1, 4, ACTION))
    return {
        "mean": pi.mean,
        "logp": logp,
        "entropy": pi.entropy(),
        "v": ac.v(rows(0, 4, STATE)),
        "variables": np.array(core.count_vars(ac)),
    }


def train(ac):
    ac.rng = np.random.RandomState(7)
    with tempfile.TemporaryDirectory() as folder:
        ppo(
            Environment,
            actor_critic=lambda *spaces, **settings: ac,
            steps_per_epoch=20,
            epochs=3,
            train_pi_iters=3,
            train_v_iters=3,
            target_kl=1.0,
            logger_kwargs={"output_dir": folder, "exp_name": "ppo"},
        )
        columns = logged(folder)
    return {
        **columns,
        "log_std": ac.pi.log_std,
        "mu": ac.pi.mu_net[0].weight,
        "v": ac.v.v_net[2].weight,
    }
