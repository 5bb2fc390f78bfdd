import random
from collections import namedtuple
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

import utils
from drqv2 import DrQV2Agent, RandomShiftsAug
from replay_buffer import ReplayBufferStorage, make_replay_loader

OBS, ACTION = (3, 84, 84), (2,)
Spec = namedtuple("Spec", ["name", "shape", "dtype"])
specs = (
    Spec("observation", OBS, np.uint8),
    Spec("action", ACTION, np.float32),
    Spec("reward", (1,), np.float32),
    Spec("discount", (1,), np.float32),
)
agents = []


class TimeStep(dict):
    """What the environment of dmc.py hands on."""

    def last(self):
        return self["is_last"]


def build():
    # The policy draws its actions: with deviations this small they are the means in float32.
    agent = DrQV2Agent(
        obs_shape=OBS, action_shape=ACTION, device="cpu", lr=1e-4, feature_dim=8, hidden_dim=16,
        critic_target_tau=0.01, num_expl_steps=0, update_every_steps=2, stddev_schedule="linear(1e-9,1e-10,100)",
        stddev_clip=0.3, use_tb=True,
    )  # fmt: skip
    agent.actor.policy[-1].bias.data.fill_(0.8)  # far from 0, where even such deviations would show
    agent.aug = RandomShiftsAug(pad=0)  # no randomness may decide what is seen
    agents.append(agent)
    return agent.encoder, agent.actor, agent.critic, agent.critic_target


def init():
    torch.manual_seed(1)
    linear = nn.Linear(64, 48)
    linear.apply(utils.weight_init)
    conv = nn.Conv2d(8, 32, 3)
    conv.apply(utils.weight_init)
    return {"linear": linear.weight, "conv": conv.weight}


def observations(seed, count):
    return np.random.RandomState(seed).randint(0, 256, (count, *OBS)).astype("uint8")


def shifted():
    """All that a shift of 2 may make of a constant picture, whatever was drawn: the picture's value."""
    return torch.round(RandomShiftsAug(pad=2)(torch.full((2, 3, 8, 8), 3.0)))


def sampled(loc):
    dist = utils.TruncatedNormal(loc, torch.ones_like(loc) * 1e-9)
    return torch.cat([dist.sample(clip=0.1), dist.mean, dist.entropy() * 0.1])


def forward(encoder, actor, critic, critic_target):
    agent = agents[-1]
    obs = torch.as_tensor(observations(0, 2)).float()
    with torch.no_grad(), utils.eval_mode(agent):
        hidden = encoder(agent.aug(obs))
        action = actor(hidden, 0.1).mean
        q1, q2 = critic(hidden, action)
        acted = np.stack(
            [agent.act(one, 3, eval_mode=mode) for one in observations(1, 2) for mode in (True, False)]
        )
    return {
        "hidden": hidden,
        "action": action,
        "q1": q1,
        "q2": q2,
        "target": critic_target(hidden, action)[0],
        "acted": acted,
        "shifted": shifted,
        "sampled": lambda: sampled(torch.tensor([[0.5, -2.0], [0.1, 3.0]])),
        "schedule": lambda: np.array(
            [
                utils.schedule("0.3", 1),
                utils.schedule("linear(1.0,0.1,10)", 5),
                utils.schedule("step_linear(1.0,0.5,4,0.1,8)", 6),
            ]
        ),
    }


def write_episodes(folder):
    storage = ReplayBufferStorage(specs, folder)
    rng = np.random.RandomState(0)
    for episode in range(2):
        frames = observations(10 + episode, 8)
        for step in range(8):
            storage.add(
                TimeStep(
                    observation=frames[step],
                    action=rng.uniform(-1, 1, ACTION).astype("float32"),
                    reward=float(rng.rand()),
                    discount=1.0,
                    is_last=step == 7,
                )
            )
    return len(storage)


def train(encoder, actor, critic, critic_target):
    agent = agents[-1]
    folder = Path("buffer")
    count = write_episodes(folder)
    loader = make_replay_loader(folder, 100, 4, 0, False, 3, 0.99)
    random.seed(1)
    np.random.seed(1)
    replay_iter = iter(loader)
    values = []
    for step in range(6):
        metrics = agent.update(replay_iter, step)
        values.append([metrics[name] for name in sorted(metrics) if name != "actor_logprob"])
    return {
        "count": np.array(count),
        "values": np.concatenate(values),
        "encoder": encoder.convnet[2].weight,
        "actor": actor.trunk[0].weight,
        "policy": actor.policy[4].weight,
        "critic": critic.Q1[2].weight,
        "target": critic_target.Q2[4].weight,
    }
