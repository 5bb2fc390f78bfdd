import logging
import os
import sys
from functools import partial
from types import SimpleNamespace as SN

import numpy as np
import torch as th
import yaml

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "src"))

from components.episode_buffer import EpisodeBatch, ReplayBuffer  # noqa: E402
from components.transforms import OneHot  # noqa: E402
from controllers import REGISTRY as mac_REGISTRY  # noqa: E402
from envs import REGISTRY as env_REGISTRY  # noqa: E402
from envs.multiagentenv import MultiAgentEnv  # noqa: E402
from learners import REGISTRY as le_REGISTRY  # noqa: E402
from runners import REGISTRY as r_REGISTRY  # noqa: E402
from utils.logging import Logger  # noqa: E402
from utils.rl_utils import build_td_lambda_targets  # noqa: E402

AGENTS, ACTIONS, OBS, STATE, LIMIT = 3, 4, 5, 6, 5


class MadeUpEnv(MultiAgentEnv):
    """Rewards the first available action; an episode's length depends on its number."""

    def __init__(self, **env_args):
        self.episode_limit = LIMIT
        self.rng = np.random.RandomState(0)
        self.episode, self.t = 0, 0

    def reset(self):
        self.episode, self.t = self.episode + 1, 0
        return self.get_obs(), self.get_state()

    def step(self, actions):
        self.t += 1
        reward = float(sum(int(action) for action in actions)) / AGENTS - self.t
        is_over = self.t >= 3 + self.episode % 3
        return reward, is_over, {"episode_limit": True} if is_over and self.t == LIMIT else {}

    def get_obs(self):
        return [self.rng.randn(OBS).astype("float32") for _ in range(AGENTS)]

    def get_state(self):
        return self.rng.randn(STATE).astype("float32")

    def get_avail_actions(self):
        available = (self.rng.rand(AGENTS, ACTIONS) < 0.6).astype(int)
        available[:, 1] = 1
        return available.tolist()

    def get_env_info(self):
        return {
            "state_shape": STATE, "obs_shape": OBS, "n_actions": ACTIONS, "n_agents": AGENTS,
            "episode_limit": LIMIT,
        }  # fmt: skip

    def get_stats(self):
        return {}

    def close(self):
        pass


env_REGISTRY["made_up"] = partial(MadeUpEnv)


def arguments(algorithm):
    config = {}
    for name in ("default", "algs/" + algorithm):
        with open(os.path.join(here, "src", "config", name + ".yaml")) as file:
            config.update(yaml.safe_load(file))
    config.update(
        env="made_up", env_args={"map_name": "none"}, use_cuda=False, device="cpu", rnn_hidden_dim=8,
        mixing_embed_dim=6, hypernet_embed=7, learner_log_interval=0, runner_log_interval=0, test_nepisode=1,
        target_update_interval=1, network_size="small", qtran_arch="coma_critic", buffer_size=8, runner="episode",
        batch_size_run=1, action_selector="epsilon_greedy",
    )  # fmt: skip
    return SN(**config)


class Run:
    """What run_sequential sets up."""

    def __init__(self, algorithm):
        args = arguments(algorithm)
        args.epsilon_start = args.epsilon_finish = 0.0
        self.args = args
        self.logger = Logger(logging.getLogger())
        self.runner = r_REGISTRY[args.runner](args=args, logger=self.logger)
        env_info = self.runner.get_env_info()
        args.n_agents, args.n_actions = env_info["n_agents"], env_info["n_actions"]
        args.state_shape, args.obs_shape = env_info["state_shape"], env_info["obs_shape"]
        self.scheme = {
            "state": {"vshape": env_info["state_shape"]},
            "obs": {"vshape": env_info["obs_shape"], "group": "agents"},
            "actions": {"vshape": (1,), "group": "agents", "dtype": th.long},
            "avail_actions": {"vshape": (env_info["n_actions"],), "group": "agents", "dtype": th.int},
            "reward": {"vshape": (1,)},
            "terminated": {"vshape": (1,), "dtype": th.uint8},
        }
        self.groups = {"agents": args.n_agents}
        self.preprocess = {"actions": ("actions_onehot", [OneHot(out_dim=args.n_actions)])}
        self.buffer = ReplayBuffer(
            self.scheme, self.groups, args.buffer_size, env_info["episode_limit"] + 1,
            preprocess=self.preprocess, device="cpu" if args.buffer_cpu_only else args.device,
        )  # fmt: skip
        self.mac = mac_REGISTRY[args.mac](self.buffer.scheme, self.groups, args)
        self.runner.setup(scheme=self.scheme, groups=self.groups, preprocess=self.preprocess, mac=self.mac)
        self.learner = le_REGISTRY[args.learner](self.mac, self.buffer.scheme, self.logger, args)

    def nets(self):
        nets = [self.mac.agent]
        for name in ("mixer", "target_mixer", "critic", "target_critic"):
            if getattr(self.learner, name, None) is not None:
                nets.append(getattr(self.learner, name))
        return nets

    def take(self, nets):
        for own, net in zip(self.nets(), nets):
            own.load_state_dict(net.state_dict())
        if hasattr(self.learner, "target_mac"):
            self.learner.target_mac.load_state(self.mac)
        return self

    def episodes(self, count):
        for _ in range(count):
            self.buffer.insert_episode_batch(self.runner.run(test_mode=False))
        return self.buffer


ALGORITHMS = ("qmix", "vdn", "qtran", "coma")


def build():
    return tuple(net for algorithm in ALGORITHMS for net in Run(algorithm).nets())


def runs(nets):
    nets, made = list(nets), {}
    for algorithm in ALGORITHMS:
        run = Run(algorithm)
        count = len(run.nets())
        made[algorithm] = run.take(nets[:count])
        nets = nets[count:]
    return made


def q_values(run):
    batch = run.episodes(2)[:2]
    run.mac.init_hidden(batch.batch_size)
    return th.stack([run.mac.forward(batch, t=t) for t in range(int(batch.max_t_filled()))], dim=1)


def forward(*nets):
    made = runs(nets)
    rng = np.random.RandomState(1)
    values = th.tensor(rng.randn(2, 5, 3).astype("float32"))
    over = th.tensor((rng.rand(2, 5, 1) < 0.2).astype("float32"))
    rewards = th.tensor(rng.randn(2, 4, 1).astype("float32"))
    return {
        "qmix": lambda: q_values(made["qmix"]),
        "policy": lambda: q_values(made["coma"]),
        "filled": lambda: made["vdn"].episodes(3)["filled"],
        "onehot": lambda: made["vdn"].buffer["actions_onehot"],
        "available": lambda: made["vdn"].buffer[:2]["avail_actions"],
        "picked": lambda: made["vdn"].buffer[[0, 2], slice(1, 3)]["reward"],
        "keys": lambda: made["vdn"].buffer[("obs", "reward")]["obs"],
        "lambda_returns": lambda: build_td_lambda_targets(rewards, over, 1 - over, values, 3, 0.9, 0.8),
    }


def stats(run):
    return {key: np.array([float(value) for _, value in values]) for key, values in run.logger.stats.items()}


def train(*nets):
    results = {}
    for algorithm, run in runs(nets).items():
        args = run.args
        run.runner.t_env = 0
        for episode in range(2):
            buffer = run.episodes(3)
            np.random.seed(episode)
            sample = buffer.sample(2)
            sample = sample[:, : sample.max_t_filled()]
            if sample.device != args.device:
                sample.to(args.device)
            run.learner.train(sample, run.runner.t_env, episode)
        for key, values in stats(run).items():
            results[algorithm + "_" + key] = values
        os.makedirs(algorithm, exist_ok=True)
        run.learner.save_models(algorithm)
        again = Run(algorithm)
        again.learner.load_models(algorithm)
        results[algorithm + "_fc2"] = again.mac.agent.fc2.weight.clone()
        results[algorithm + "_rnn"] = again.mac.agent.rnn.weight_hh.clone()
        again.learner._update_targets()
        sample = run.buffer[:2]
        again.learner.train(sample[:, : sample.max_t_filled()], run.runner.t_env, 5)
        results[algorithm + "_resumed"] = again.mac.agent.fc1.weight
    return results
