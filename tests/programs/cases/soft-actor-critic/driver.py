import argparse

import numpy as np
import torch

from replay_memory import ReplayMemory
from sac import SAC

STATE = 6


class ActionSpace:
    shape = (2,)
    high = np.array([1.0, 2.0], dtype="float32")
    low = np.array([-1.0, -2.0], dtype="float32")


def agent():
    args = argparse.Namespace(
        policy="Gaussian",
        gamma=0.99,
        tau=0.1,
        lr=0.003,
        alpha=0.2,
        automatic_entropy_tuning=True,
        hidden_size=32,
        target_update_interval=1,
        cuda=False,
    )
    return SAC(STATE, ActionSpace(), args)


def build():
    new = agent()
    # The policy draws its actions. With the smallest deviation it allows, about 2e-9, they are the means in float32, as
    # long as no mean comes near zero: a difference of 2e-9 would show there, and with it the noise in log_prob.
    new.policy.log_std_linear.bias.data.fill_(-40.0)
    new.policy.mean_linear.bias.data.fill_(3.0)
    return new.policy, new.critic, new.critic_target


def init():
    torch.manual_seed(1)
    new = agent()
    return {
        "policy": new.policy.linear2.weight,
        "critic": new.critic.linear2.weight,
        "bias": new.critic.linear2.bias,
    }


def states(seed, size=8):
    return torch.from_numpy(np.random.RandomState(seed).randn(size, STATE).astype("float32"))


def forward(policy, critic, critic_target):
    mean, log_std = policy(states(0))
    action, log_prob, greedy = policy.sample(states(1))
    q1, q2 = critic(states(1), greedy)
    return {"mean": mean, "log_std": log_std, "action": action, "log_prob": log_prob, "q1": q1, "q2": q2}


def train(policy, critic, critic_target):
    new = agent()
    new.policy.load_state_dict(policy.state_dict())
    new.critic.load_state_dict(critic.state_dict())
    new.critic_target.load_state_dict(critic_target.state_dict())
    memory = ReplayMemory(100, seed=1)
    rng = np.random.RandomState(0)
    for _ in range(40):
        memory.push(
            rng.randn(STATE), rng.uniform(-1, 1, 2), rng.randn(), rng.randn(STATE), float(rng.rand() > 0.1)
        )
    losses = {"critic_1": [], "critic_2": [], "policy": [], "entropy": [], "alpha": []}
    for update in range(4):
        for name, value in zip(losses, new.update_parameters(memory, 16, update)):
            losses[name].append(value)
    return {
        **losses,
        "action": new.select_action(states(2, 1).numpy()[0], evaluate=True),
        "policy_weight": new.policy.mean_linear.weight,
        "critic_target": new.critic_target.linear1.weight,
    }
