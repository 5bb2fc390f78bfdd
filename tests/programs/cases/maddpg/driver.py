import argparse
import os
import tempfile

import baselines.common.vec_env as vec_env
import gym.spaces
import numpy as np
import torch


class VecEnv:
    """What main.py calls of the class that baselines has for it."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space = observation_space
        self.action_space = action_space

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


class Box:
    def __init__(self, size):
        self.shape = (size,)


class Discrete:
    def __init__(self, n):
        self.n = n


vec_env.VecEnv = VecEnv
gym.spaces.Box, gym.spaces.Discrete = Box, Discrete

import main as program
from algorithms.maddpg import MADDPG
from utils.buffer import ReplayBuffer
from utils.misc import gumbel_softmax, onehot_from_logits

STATE, AGENTS = 4, 3


class Agent:
    def __init__(self, adversary):
        self.adversary = adversary


class Environment:
    """Three points on a line; the first one is an adversary."""

    def __init__(self, discrete_action):
        self.observation_space = [Box(STATE)] * AGENTS
        self.action_space = [Discrete(5) if discrete_action else Box(2)] * AGENTS
        self.agents = [Agent(i == 0) for i in range(AGENTS)]
        self.rng = np.random.RandomState(0)

    def seed(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.state = self.rng.randn(AGENTS, STATE)
        return list(self.state)

    def step(self, actions):
        pushed = np.array([float(np.sum(action[:2])) for action in actions])
        self.state = 0.9 * self.state + 0.1 * pushed[:, None] + 0.05 * self.rng.randn(AGENTS, STATE)
        rewards = [float(-np.abs(row).sum()) for row in self.state]
        return list(self.state), rewards, [False] * AGENTS, {}


program.make_env = lambda env_id, discrete_action: Environment(discrete_action)


def team(discrete_action, adversary_alg):
    env = program.make_parallel_env("points", 1, 0, discrete_action)
    return MADDPG.init_from_env(env, adversary_alg=adversary_alg, tau=0.05, lr=0.01, hidden_dim=16)


teams = {}


def build():
    teams["continuous"] = team(False, "DDPG")
    teams["discrete"] = team(True, "MADDPG")
    agents = [agent for one in teams.values() for agent in one.agents]
    return tuple(net for agent in agents for net in (agent.policy, agent.critic, agent.target_policy, agent.target_critic))


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def forward(*nets):
    outputs = {}
    for name, one in teams.items():
        one.prep_rollouts(device="cpu")
        outputs[name] = one.step([rows(i, 3, STATE) for i in range(AGENTS)])
        outputs[name + "_value"] = one.agents[0].critic(rows(3, 3, one.agent_init_params[0]["num_in_critic"]))
    outputs["onehot"] = lambda: onehot_from_logits(rows(4, 3, 5))
    outputs["gumbel"] = lambda: gumbel_softmax(rows(5, 3, 5), temperature=0.7, hard=False)
    return outputs


class Prepared:
    """Hands main.run the agents that build() made."""

    def __init__(self, maddpg):
        self.maddpg = maddpg

    def init_from_env(self, env, **settings):
        return self.maddpg


def config(**changes):
    settings = dict(
        env_id="points", model_name="run", seed=1, n_rollout_threads=1, n_training_threads=1, buffer_length=200,
        n_episodes=3, episode_length=6, steps_per_update=5, batch_size=8, n_exploration_eps=2, init_noise_scale=0.3,
        final_noise_scale=0.0, save_interval=2, hidden_dim=16, lr=0.01, tau=0.05, agent_alg="MADDPG",
        adversary_alg="DDPG", discrete_action=False,
    )  # fmt: skip
    return argparse.Namespace(**{**settings, **changes})


def train(*nets):
    results = {}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            program.MADDPG = Prepared(teams["continuous"])
            program.run(config())
            loaded = MADDPG.init_from_save("models/points/run/run1/model.pt")
        finally:
            os.chdir(here)
    maddpg = teams["discrete"]
    replay_buffer = ReplayBuffer(40, AGENTS, [STATE] * AGENTS, [5] * AGENTS)
    rng = np.random.RandomState(5)
    for _ in range(30):
        taken = [np.eye(5)[rng.randint(0, 5, 1)] for _ in range(AGENTS)]
        replay_buffer.push(
            rng.randn(1, AGENTS, STATE), taken, rng.randn(1, AGENTS), rng.randn(1, AGENTS, STATE), np.zeros((1, AGENTS))
        )
    maddpg.prep_training(device="cpu")
    np.random.seed(3)
    for _ in range(2):
        for agent in range(AGENTS):
            maddpg.update(replay_buffer.sample(8), agent)
        maddpg.update_all_targets()
    for name, one in (*teams.items(), ("loaded", loaded)):
        results[name + "_policy"] = one.agents[1].policy.fc1.weight
        results[name + "_critic"] = one.agents[0].critic.fc2.weight
        results[name + "_target"] = one.agents[2].target_critic.fc3.weight
        results[name + "_mean"] = one.agents[1].critic.in_fn.running_mean
    return results
