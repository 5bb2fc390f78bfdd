import numpy as np
import torch

from TD3_BC import TD3_BC
from utils import ReplayBuffer


def states(seed, n=6):
    return torch.FloatTensor(np.random.RandomState(seed).randn(n, 5))


def actions(seed, n=6):
    return torch.FloatTensor(np.random.RandomState(seed).uniform(-1, 1, (n, 2)))


def build():
    # Noise on the target's action would be random: none here.
    policy = TD3_BC(5, 2, 1.0, policy_noise=0.0)
    build.policy = policy
    return policy.actor, policy.critic, policy.actor_target, policy.critic_target


def forward(actor, critic, actor_target, critic_target):
    q1, q2 = critic(states(0), actions(1))
    return {
        "action": actor(states(0)),
        "q1": q1,
        "q2": q2,
        "Q1": critic.Q1(states(0), actions(1)),
        "selected": lambda: build.policy.select_action(np.random.RandomState(2).randn(5)),
    }


def replay(n=60):
    rng = np.random.RandomState(7)
    dataset = {
        "observations": rng.randn(n, 5),
        "actions": rng.uniform(-1, 1, (n, 2)),
        "next_observations": rng.randn(n, 5),
        "rewards": rng.randn(n),
        "terminals": rng.rand(n) < 0.2,
    }
    buffer = ReplayBuffer(5, 2, max_size=n)
    buffer.convert_D4RL(dataset)
    buffer.normalize_states()
    return buffer


def train(actor, critic, actor_target, critic_target):
    policy = build.policy
    buffer = replay()
    np.random.seed(3)
    for step in range(4):
        policy.train(buffer, batch_size=16)
    return {
        "q": critic(states(0), actions(1))[0],
        "action": actor(states(0)),
        "actor": actor.l1.weight,
        "critic": critic.l5.weight,
        "actor_target": actor_target.l3.weight,
        "critic_target": critic_target.l4.weight,
    }
