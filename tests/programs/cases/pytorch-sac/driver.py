import importlib

import hydra.utils
import numpy as np
import torch

import utils
from logger import Logger
from replay_buffer import ReplayBuffer

OBS, ACTION = 5, 2


def instantiate(config):
    """What the hydra of that time does with a class and its parameters."""
    module, name = config["class"].rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**config["params"])


hydra.utils.instantiate = instantiate

from agent.sac import SACAgent

sizes = {"obs_dim": OBS, "action_dim": ACTION, "hidden_dim": 16, "hidden_depth": 2}
# The actor draws its actions: with deviations this small they are the means in float32.
actor_cfg = {"class": "agent.actor.DiagGaussianActor", "params": {**sizes, "log_std_bounds": [-25, -24]}}
critic_cfg = {"class": "agent.critic.DoubleQCritic", "params": sizes}
agents = []


def agent():
    return SACAgent(
        obs_dim=OBS, action_dim=ACTION, action_range=[-1.0, 1.0], device="cpu", critic_cfg=critic_cfg,
        actor_cfg=actor_cfg, discount=0.99, init_temperature=0.1, alpha_lr=1e-2, alpha_betas=[0.9, 0.999],
        actor_lr=1e-3, actor_betas=[0.9, 0.999], actor_update_frequency=1, critic_lr=1e-3, critic_betas=[0.9, 0.999],
        critic_tau=0.05, critic_target_update_frequency=2, batch_size=8, learnable_temperature=True,
    )  # fmt: skip


def build():
    new = agent()
    new.actor.trunk[-1].bias.data.fill_(0.8)
    agents.append(new)
    return new.actor, new.critic, new.critic_target


def init():
    torch.manual_seed(1)
    net = utils.MLP(64, 64, 8, 2)
    return {"first": net.trunk[0].weight, "last": net.trunk[4].weight, "bias": net.trunk[0].bias}


def observations(seed):
    return np.random.RandomState(seed).randn(6, OBS).astype("float32")


def acted(new):
    with utils.eval_mode(new):
        return np.stack([new.act(obs, sample=sample) for obs in observations(1) for sample in (True, False)])


def forward(actor, critic, critic_target):
    obs = torch.from_numpy(observations(0))
    dist = actor(obs)
    action = dist.mean
    q1, q2 = critic(obs, action)
    return {
        "mean": action,
        "q1": q1,
        "q2": q2,
        "target": critic_target(obs, action)[0],
        "log_prob": lambda: dist.log_prob(dist.rsample()).sum(-1, keepdim=True),
        "acted": lambda: acted(agents[-1]),
    }


def train(actor, critic, critic_target):
    new = agents[-1]
    buffer = ReplayBuffer((OBS,), (ACTION,), 20, torch.device("cpu"))
    rng = np.random.RandomState(0)
    for step in range(24):
        obs, action = rng.randn(OBS), rng.uniform(-1, 1, ACTION)
        buffer.add(obs, action, rng.rand(), rng.randn(OBS), step % 5 == 4, False)
    logger = Logger(".", save_tb=False, log_frequency=1)
    utils.set_seed_everywhere(1)
    values = []
    for step in range(4):
        new.update(buffer, logger, step)
        meters = logger._train_mg._meters
        values.append(
            [meters[name].value() for name in ("train_critic/loss", "train_actor/loss", "train_alpha/loss")]
        )
        logger.dump(step, ty="train")
    return {
        "values": np.array(values),
        "alpha": new.alpha,
        "actor": actor.trunk[0].weight,
        "critic": critic.Q1[2].weight,
        "target": critic_target.Q2[4].weight,
    }
