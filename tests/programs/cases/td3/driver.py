import os
import tempfile

import numpy as np
import torch

import DDPG
import OurDDPG
import TD3
import utils

STATE, ACTION, MAX_ACTION = 5, 2, 1.5
agents = {}


def build():
    kwargs = {"state_dim": STATE, "action_dim": ACTION, "max_action": MAX_ACTION, "discount": 0.99, "tau": 0.05}
    agents["TD3"] = TD3.TD3(policy_noise=0.0, noise_clip=0.5 * MAX_ACTION, policy_freq=2, **kwargs)
    agents["OurDDPG"] = OurDDPG.DDPG(**kwargs)
    agents["DDPG"] = DDPG.DDPG(**kwargs)
    return tuple(net for agent in agents.values() for net in (agent.actor, agent.critic))


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def forward(*nets):
    state, action = rows(0, 4, STATE), rows(1, 4, ACTION)
    outputs = {}
    for name, agent in agents.items():
        outputs[f"{name}_action"] = agent.actor(state)
        outputs[f"{name}_value"] = agent.critic(state, action)
        outputs[f"{name}_selected"] = agent.select_action(np.arange(STATE) / STATE)
    outputs["TD3_Q1"] = lambda: agents["TD3"].critic.Q1(state, action)
    return outputs


def filled_buffer():
    rng = np.random.RandomState(2)
    replay_buffer = utils.ReplayBuffer(STATE, ACTION, max_size=50)
    for step in range(60):
        state, next_state = rng.randn(STATE), rng.randn(STATE)
        replay_buffer.add(state, rng.uniform(-MAX_ACTION, MAX_ACTION, ACTION), next_state, rng.randn(), step % 9 == 8)
    return replay_buffer


def train(*nets):
    np.random.seed(0)
    replay_buffer = filled_buffer()
    results = {}
    for name, policy in agents.items():
        policy.actor_target.load_state_dict(policy.actor.state_dict())
        policy.critic_target.load_state_dict(policy.critic.state_dict())
        for _ in range(4):
            policy.train(replay_buffer, 8)
        with tempfile.TemporaryDirectory() as folder:
            policy.save(os.path.join(folder, name))
            policy.load(os.path.join(folder, name))
        policy.train(replay_buffer, 8)
        state, action, next_state, reward, not_done = replay_buffer.sample(4)
        results[f"{name}_value"] = policy.critic(state, action)
        results[f"{name}_target"] = policy.critic_target(next_state, policy.actor_target(next_state))
        results[f"{name}_actor"] = policy.actor.l1.weight
        results[f"{name}_critic"] = policy.critic.l2.weight
        results[f"{name}_frozen"] = policy.actor_target.l3.weight
    return results
