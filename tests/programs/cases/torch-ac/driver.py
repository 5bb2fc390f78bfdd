import multiprocessing

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions.categorical import Categorical

import torch_ac

STATE, KINDS, PROCESSES = 5, 3, 2


class Space:
    def __init__(self, n):
        self.n = n


class Grid:
    """Made-up environment: reward for the action that the first number asks for."""

    observation_space, action_space = Space(STATE), Space(KINDS)

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)
        self.count = 0

    def reset(self):
        self.count = 0
        self.obs = self.random.randn(STATE).astype("float32")
        return self.obs, {}

    def step(self, action):
        self.count += 1
        reward = float(action == int(abs(self.obs[0]) * 3) % KINDS)
        self.obs = self.random.randn(STATE).astype("float32")
        return self.obs, reward, self.count % 5 == 0, self.count % 7 == 0, {}


class Plain(nn.Module, torch_ac.ACModel):
    def __init__(self, obs_space, action_space):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs_space.n, 8), nn.Tanh(), nn.Linear(8, action_space.n))
        self.critic = nn.Sequential(nn.Linear(obs_space.n, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, obs):
        dist = Categorical(logits=F.log_softmax(self.actor(obs), dim=1))
        return dist, self.critic(obs).squeeze(1)


class Recurrent(nn.Module, torch_ac.RecurrentACModel):
    def __init__(self, obs_space, action_space):
        super().__init__()
        self.rnn = nn.LSTMCell(obs_space.n, 6)
        self.actor = nn.Linear(6, action_space.n)
        self.critic = nn.Linear(6, 1)

    @property
    def memory_size(self):
        return 12

    def forward(self, obs, memory):
        hidden = self.rnn(obs, (memory[:, :6], memory[:, 6:]))
        dist = Categorical(logits=F.log_softmax(self.actor(hidden[0]), dim=1))
        return dist, self.critic(hidden[0]).squeeze(1), torch.cat(hidden, dim=1)


def preprocess(obss, device=None):
    return torch.tensor(np.array(obss), device=device)


def shaped(obs, action, reward, done):
    return 2 * reward - 0.1 * float(done)


def environments():
    return [Grid(seed) for seed in range(PROCESSES)]


def stop_workers():
    """The repository lets its workers run until the program ends; a program of several parts ends them itself."""
    for process in multiprocessing.active_children():
        process.terminate()


def build():
    return Plain(Grid.observation_space, Grid.action_space), Recurrent(
        Grid.observation_space, Grid.action_space
    )


def forward(plain, recurrent):
    obs = torch.from_numpy(np.random.RandomState(0).randn(4, STATE).astype("float32"))
    memory = torch.from_numpy(np.random.RandomState(1).randn(4, 12).astype("float32"))

    def collected(net, steps):
        algo = torch_ac.A2CAlgo(
            environments(), net, num_frames_per_proc=6, recurrence=steps, preprocess_obss=preprocess
        )
        try:
            exps, logs = algo.collect_experiences()
        finally:
            stop_workers()
        return [
            exps.obs,
            exps.action,
            exps.value,
            exps.reward,
            exps.advantage,
            exps.returnn,
            exps.log_prob,
            exps[2:4].value,
        ]

    return {
        "logits": plain(obs)[0].logits,
        "value": plain(obs)[1],
        "memory": recurrent(obs, memory)[2],
        "entropy": recurrent(obs, memory)[0].entropy(),
        "experiences": lambda: collected(plain, 1),
        "recurrent_experiences": lambda: collected(recurrent, 2),
        "default_format": lambda: torch_ac.format.default_preprocess_obss([[1.0, 2.0], [3.0, 4.0]]),
    }


def updates(algo, count=3):
    try:
        return all_updates(algo, count)
    finally:
        stop_workers()


def all_updates(algo, count):
    kept = []
    for _ in range(count):
        exps, logs1 = algo.collect_experiences()
        logs2 = algo.update_parameters(exps)
        kept += [float(logs2[key]) for key in ("entropy", "value", "policy_loss", "value_loss", "grad_norm")]
        kept += [
            float(np.mean(logs1["return_per_episode"])),
            float(np.mean(logs1["reshaped_return_per_episode"])),
        ]
    return torch.tensor(kept)


def train(plain, recurrent):
    np.random.seed(1)
    results = {}
    more = {"preprocess_obss": preprocess, "reshape_reward": shaped}
    results["a2c"] = updates(
        torch_ac.A2CAlgo(environments(), plain, num_frames_per_proc=6, recurrence=1, **more)
    )
    results["a2c_recurrent"] = updates(
        torch_ac.A2CAlgo(environments(), recurrent, num_frames_per_proc=6, recurrence=3)
    )
    results["ppo"] = updates(
        torch_ac.PPOAlgo(
            environments(), plain, num_frames_per_proc=8, recurrence=1, epochs=2, batch_size=8, **more
        ),
        2,
    )
    results["ppo_recurrent"] = updates(
        torch_ac.PPOAlgo(
            environments(), recurrent, num_frames_per_proc=8, recurrence=4, epochs=2, batch_size=8, **more
        ),
        2,
    )
    results["actor"] = plain.actor[0].weight
    results["critic"] = plain.critic[2].weight
    results["rnn"] = recurrent.rnn.weight_ih
    results["recurrent_actor"] = recurrent.actor.weight
    return results
