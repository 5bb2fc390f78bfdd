import queue

import gym
import numpy as np
import torch.multiprocessing as mp


class Space:
    shape = (4,)
    n = 2


class Environment:
    """A cart or a pendulum that always does the same."""

    observation_space = Space()
    action_space = Space()

    def __init__(self):
        self.unwrapped = self
        self.rng = np.random.RandomState(3)
        self.count = 0

    def reset(self):
        self.count = 0
        return self.rng.uniform(-0.5, 0.5, 4)

    def step(self, action):
        self.count += 1
        return self.rng.uniform(-0.5, 0.5, 4), float(np.sum(action)), self.count == 7, {}


gym.make = lambda name: Environment()

import continuous_A3C
import discrete_A3C
from shared_adam import SharedAdam
from utils import v_wrap


def build():
    return discrete_A3C.Net(4, 2), continuous_A3C.Net(4, 4)


def init():
    net = discrete_A3C.Net(40, 20)
    return {"pi1": net.pi1.weight, "v1": net.v1.weight}


def states(seed, count):
    return v_wrap(np.random.RandomState(seed).randn(count, 4))


def forward(discrete, continuous):
    actions = v_wrap(np.array([0, 1, 1]), dtype=np.int64)
    values = v_wrap(np.array([[0.5], [1.0], [-1.0]]))
    return {
        "discrete": list(discrete(states(0, 3))),
        "continuous": lambda: list(continuous(states(0, 3))),
        "discrete_loss": lambda: discrete.loss_func(states(1, 3), actions, values),
        "continuous_loss": lambda: continuous.loss_func(states(1, 3), states(2, 3).clip(-1, 1), values),
        "chosen": lambda: discrete.choose_action(states(0, 1)) in (0, 1),
        "drawn": lambda: continuous_A3C.Net(4, 1).choose_action(states(0, 1)).shape,
    }


def worked(program, gnet, choose):
    """A worker without a process of its own; no randomness may decide what it does."""
    gnet.share_memory()
    opt = SharedAdam(gnet.parameters(), lr=1e-3, betas=(0.92, 0.999))
    program.MAX_EP = 2
    rewards = queue.Queue()
    worker = program.Worker(gnet, opt, mp.Value("i", 0), mp.Value("d", 0.0), rewards, 1)
    worker.lnet.load_state_dict(gnet.state_dict())
    worker.lnet.choose_action = choose
    worker.run()
    return [rewards.get() for _ in range(2)], worker.lnet


def train(discrete, continuous):
    actions = iter(np.random.RandomState(5).randint(0, 2, 100))
    forces = iter(np.random.RandomState(6).uniform(-1, 1, (1000, 4)))
    rewards, local = worked(discrete_A3C, discrete, lambda state: next(actions))
    continuous_A3C.MAX_EP_STEP = 7
    drawn, pendulum = worked(continuous_A3C, continuous, lambda state: next(forces))
    return {
        "rewards": rewards + drawn,
        "discrete": discrete.pi1.weight,
        "value": discrete.v2.bias,
        "local": local.pi1.weight,
        "continuous": continuous.mu.weight,
        "pendulum": pendulum.c1.weight,
    }
