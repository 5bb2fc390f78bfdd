from argparse import Namespace
from types import SimpleNamespace

import numpy as np
import torch
import torch.multiprocessing as mp

import my_optim
import train as script
from model import ActorCritic

ACTIONS = SimpleNamespace(n=4)


class Finished(Exception):
    pass


class Env:
    """Frames that are made up; after some steps nobody wants to play any more."""

    observation_space = SimpleNamespace(shape=(1, 42, 42))
    action_space = ACTIONS

    def __init__(self, steps):
        self.rng = np.random.RandomState(0)
        self.left = steps
        self.episode = 0

    def seed(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.episode = 0
        return self.rng.rand(1, 42, 42).astype(np.float32)

    def step(self, action):
        if self.left == 0:
            raise Finished
        self.left -= 1
        self.episode += 1
        reward = float(self.rng.rand() * 3 - 1) + 0.1 * int(np.asarray(action).reshape(-1)[0])
        return self.rng.rand(1, 42, 42).astype(np.float32), reward, self.episode >= 7, {}


def build():
    return ActorCritic(1, ACTIONS), ActorCritic(1, ACTIONS)


def forward(shared, plain):
    frame = torch.from_numpy(np.random.RandomState(5).rand(2, 1, 42, 42).astype(np.float32))
    state = torch.zeros(2, 256), torch.ones(2, 256) * 0.1
    shared.eval()
    with torch.no_grad():
        value, logit, (hx, cx) = shared((frame, state))
    return {"value": value, "logit": logit, "hx": hx, "cx": cx}


def settings():
    return Namespace(
        lr=0.001,
        gamma=0.99,
        gae_lambda=0.95,
        entropy_coef=0.01,
        value_loss_coef=0.5,
        max_grad_norm=50,
        seed=1,
        num_steps=5,
        max_episode_length=1000,
        env_name="Made",
    )


def played(model, optimizer):
    script.create_atari_env = lambda name: Env(17)
    counter, lock = mp.Value("i", 0), mp.Lock()
    try:
        script.train(0, settings(), model, counter, lock, optimizer)
    except Finished:
        pass
    return counter.value


def train(shared, plain):
    optimizer = my_optim.SharedAdam(shared.parameters(), lr=0.001)
    optimizer.share_memory()
    shared.share_memory()
    steps = [played(shared, optimizer), played(plain, None)]
    return {
        "steps": steps,
        "shared_lstm": shared.lstm.weight_hh,
        "shared_conv": shared.conv1.weight,
        "plain_actor": plain.actor_linear.weight,
        "plain_conv": plain.conv4.weight,
    }


def init():
    torch.manual_seed(0)
    net = ActorCritic(1, ACTIONS)
    return {"conv": net.conv2.weight, "actor": net.actor_linear.weight, "critic": net.critic_linear.weight}
