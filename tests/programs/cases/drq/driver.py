import importlib

import hydra.utils
import kornia
import numpy as np
import torch
import torch.nn as nn


def instantiate(config):
    """What the hydra of that time does with a class and its parameters."""
    module, name = config["class"].rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**config["params"])


class Crop(nn.Module):
    """Stands for kornia's RandomCrop: no randomness may decide what is seen."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, images):
        return images[:, :, 2 : 2 + self.size[0], 5 : 5 + self.size[1]]


hydra.utils.instantiate = instantiate
kornia.augmentation.RandomCrop = Crop

import utils
from drq import DRQAgent
from logger import Logger
from replay_buffer import ReplayBuffer

OBS, ACTION = (3, 84, 84), (2,)
encoder_cfg = {"class": "drq.Encoder", "params": {"obs_shape": OBS, "feature_dim": 10}}
sizes = {"encoder_cfg": encoder_cfg, "action_shape": ACTION, "hidden_dim": 16, "hidden_depth": 2}
# The actor draws its actions: with deviations this small they are the means in float32.
actor_cfg = {"class": "drq.Actor", "params": {**sizes, "log_std_bounds": [-25, -24]}}
critic_cfg = {"class": "drq.Critic", "params": sizes}
agents = []


def build():
    agent = DRQAgent(
        obs_shape=OBS, action_shape=ACTION, action_range=[-1.0, 1.0], device="cpu", encoder_cfg=encoder_cfg,
        critic_cfg=critic_cfg, actor_cfg=actor_cfg, discount=0.99, init_temperature=0.1, lr=1e-3,
        actor_update_frequency=2, critic_tau=0.01, critic_target_update_frequency=2, batch_size=4,
    )  # fmt: skip
    agent.actor.trunk[-1].bias.data.fill_(0.8)  # far from 0, where even such deviations would show
    agents.append(agent)
    return agent.actor, agent.critic, agent.critic_target


def init():
    torch.manual_seed(1)
    net = utils.mlp(64, 64, 8, 2)
    net.apply(utils.weight_init)
    conv = nn.Conv2d(8, 32, 3)
    conv.apply(utils.weight_init)
    return {"first": net[0].weight, "conv": conv.weight}


def observations(seed, count):
    return np.random.RandomState(seed).randint(0, 256, (count, *OBS)).astype("uint8")


def forward(actor, critic, critic_target):
    obs = torch.as_tensor(observations(0, 2)).float()
    dist = actor(obs)
    action = dist.mean
    q1, q2 = critic(obs, action)
    with utils.eval_mode(agents[-1]):
        acted = np.stack([agents[-1].act(one, sample=sample) for one in observations(1, 2) for sample in (True, False)])
    return {
        "mean": action,
        "q1": q1,
        "q2": q2,
        "target": critic_target(obs, action)[0],
        "log_prob": lambda: dist.log_prob(dist.rsample()).sum(-1, keepdim=True),
        "acted": acted,
        "tied": lambda: actor.encoder.convs[0].weight is critic.encoder.convs[0].weight,
    }


def train(actor, critic, critic_target):
    agent = agents[-1]
    buffer = ReplayBuffer(OBS, ACTION, 12, 4, torch.device("cpu"))
    rng = np.random.RandomState(0)
    frames = observations(2, 11)
    for step in range(10):
        buffer.add(frames[step], rng.uniform(-1, 1, ACTION), rng.rand(), frames[step + 1], step % 5 == 4, False)
    logger = Logger(".", save_tb=False, log_frequency=1)
    utils.set_seed_everywhere(1)
    values = []
    for step in range(4):
        agent.update(buffer, logger, step)
        meters = logger._train_mg._meters
        values.append([meters[name].value() for name in sorted(meters) if "loss" in name or "reward" in name])
        logger.dump(step, ty="train")
    return {
        "values": np.concatenate(values),
        "alpha": agent.alpha,
        "actor": actor.trunk[0].weight,
        "critic": critic.Q1[2].weight,
        "conv": actor.encoder.convs[1].weight,
        "target": critic_target.Q2[4].weight,
    }
