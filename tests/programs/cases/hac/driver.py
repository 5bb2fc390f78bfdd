import os

import gym
import gym.spaces
import gym.utils.seeding
import numpy as np
import torch


class Env:
    unwrapped = None


class Box:
    def __init__(self, low, high, shape=None, dtype=np.float32):
        shape = np.shape(low) if shape is None else shape
        self.low, self.high, self.shape = np.full(shape, low, dtype), np.full(shape, high, dtype), shape


gym.Env, gym.spaces.Box = Env, Box
gym.utils.seeding.np_random = lambda seed=None: (np.random.RandomState(0 if seed is None else seed), seed)

import asset
import test as testing
import train as training
from DDPG import DDPG
from HAC import HAC

gym.make = lambda name: asset.Continuous_MountainCarEnv()
FOLDER = "preTrained/MountainCarContinuous-h-v1/2level"


def build():
    """Actor and critic of the two levels."""
    bounds, offset = torch.tensor([[0.9, 0.07]]), torch.tensor([[-0.3, 0.0]])
    low = DDPG(2, 1, 1.0, torch.zeros(1, 1), 0.001, 5)
    high = DDPG(2, 2, bounds, offset, 0.001, 5)
    return low.actor, low.critic, high.actor, high.critic


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(*nets):
    states, goals = numbers(0, 6, 2), numbers(1, 6, 2)
    return {
        "low": lambda: nets[0](states, goals),
        "low_value": lambda: nets[1](states, numbers(2, 6, 1), goals),
        "high": lambda: nets[2](states, goals),
        "high_value": lambda: nets[3](states, numbers(3, 6, 2), goals),
    }


def agents_of(nets, seed):
    """The agents that the scripts make, with these weights; what NumPy draws begins after the networks."""
    made = []

    class Loaded(HAC):
        def __init__(self, *args):
            super().__init__(*args)
            for level, ddpg in enumerate(self.HAC):
                ddpg.actor.load_state_dict(nets[2 * level].state_dict())
                ddpg.critic.load_state_dict(nets[2 * level + 1].state_dict())
            made.append(self)
            np.random.seed(seed)

    return Loaded, made


def train(*nets):
    os.makedirs(FOLDER, exist_ok=True)
    training.HAC, made = agents_of(nets, 4)
    training.train()
    trained = made[0]
    with open("log.txt") as file:
        rewards = [[float(number) for number in line.split(",")] for line in file]
    testing.HAC, made = agents_of(nets, 5)
    testing.test()
    tested = made[0]
    batch = trained.replay_buffer[1].sample(8)
    return {
        "rewards": rewards,
        "states": batch[0],
        "actions": batch[1],
        "sizes": [len(buffer.buffer) for buffer in trained.replay_buffer],
        "low": trained.HAC[0].actor.actor[4].weight,
        "low_critic": trained.HAC[0].critic.critic[0].weight,
        "high": trained.HAC[1].actor.actor[0].weight,
        "high_critic": trained.HAC[1].critic.critic[4].bias,
        "loaded": tested.HAC[1].critic.critic[2].weight,
        "tested": [tested.reward, tested.timestep],
    }


def init():
    torch.manual_seed(0)
    nets = build()
    return {"actor": nets[2].actor[2].weight, "critic": nets[1].critic[0].weight}
