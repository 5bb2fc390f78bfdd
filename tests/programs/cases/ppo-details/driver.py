import runpy
import sys

import gym
import gym.spaces
import gym.vector
import gym.wrappers
import numpy as np
import stable_baselines3.common.atari_wrappers
import tensorboardX
import torch
import torch.utils.tensorboard


class Box:
    def __init__(self, *shape):
        self.shape = shape

    def seed(self, seed):
        return [seed]


class Discrete(Box):
    def __init__(self, n):
        self.shape, self.n = (), n


class MultiDiscrete(Box):
    def __init__(self, nvec):
        self.shape, self.nvec = (len(nvec),), np.array(nvec)


SPACES = {
    "small": (Box(4), Discrete(3)),
    "body": (Box(5), Box(2)),
    "map": (Box(10, 10, 27), MultiDiscrete([4, 3, 5])),
    "screen": (Box(1, 84, 84), Discrete(4)),
}


class Env:
    """Numbers that depend on the seed and on what was done."""

    def __init__(self, name):
        self.observation_space, self.action_space = SPACES[name]
        self.unwrapped = self

    def get_action_meanings(self):
        return ["NOOP"]

    def seed(self, seed):
        self.random, self.steps = np.random.RandomState(seed), 0

    def reset(self):
        self.action_mask = (self.random.rand(12) > 0.4).astype("float32")
        self.action_mask[[0, 4, 7]] = 1.0
        return self.random.rand(*self.observation_space.shape).astype("float32")

    def step(self, action):
        self.steps += 1
        done = self.steps % 5 == 0
        info = {"episode": {"r": float(self.steps), "l": 5}} if done else {}
        return self.reset(), float(np.sum(action)) * 0.3 - 0.2, done, info


class SyncVectorEnv:
    def __init__(self, thunks):
        self.envs = [thunk() for thunk in thunks]
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space

    def reset(self):
        return np.stack([env.reset() for env in self.envs])

    def step(self, actions):
        made = [env.step(action) for env, action in zip(self.envs, actions)]
        states, rewards, dones, infos = zip(*made)
        return np.stack(states), np.array(rewards), np.array(dones), infos

    def close(self):
        self.envs = []


class SummaryWriter:
    written = {}

    def __init__(self, folder):
        SummaryWriter.written = {}

    def add_text(self, *args):
        pass

    def add_scalar(self, name, value, step):
        if "SPS" not in name:
            self.written.setdefault(name, []).append(float(value))

    def close(self):
        pass


def as_it_is(env, *args, **kwargs):
    return env


gym.make = Env
gym.spaces.Box, gym.spaces.Discrete, gym.spaces.MultiDiscrete = Box, Discrete, MultiDiscrete
gym.vector.SyncVectorEnv = SyncVectorEnv
for name in (
    "RecordEpisodeStatistics", "ClipAction", "NormalizeObservation", "TransformObservation", "NormalizeReward",
    "TransformReward", "ResizeObservation", "GrayScaleObservation", "FrameStack",
):  # fmt: skip
    setattr(gym.wrappers, name, as_it_is)
for name in ("NoopResetEnv", "MaxAndSkipEnv", "EpisodicLifeEnv", "FireResetEnv", "ClipRewardEnv"):
    setattr(stable_baselines3.common.atari_wrappers, name, as_it_is)
torch.utils.tensorboard.SummaryWriter = tensorboardX.SummaryWriter = SummaryWriter

import ppo
import ppo_atari_lstm
import ppo_continuous_action
import ppo_multidiscrete_mask

ppo_multidiscrete_mask.device = torch.device("cpu")


def envs(name):
    made = Env(name)
    made.single_observation_space, made.single_action_space = made.observation_space, made.action_space
    return made


def build():
    return (
        ppo.Agent(envs("small")),
        ppo_continuous_action.Agent(envs("body")),
        ppo_multidiscrete_mask.Agent(envs("map")),
        ppo_atari_lstm.Agent(envs("screen")),
    )


def numbers(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).rand(*shape).astype("float32"))


def joined(outputs):
    return torch.cat([one.reshape(-1).float() for one in outputs])


def masked(net):
    masks = numbers(3, 4, 12) > 0.4
    masks[:, [0, 4, 7]] = True
    action = torch.tensor([[0, 1, 2, 3], [0, 1, 2, 0], [4, 3, 0, 1]])
    return joined(net.get_action_and_value(numbers(2, 4, 10, 10, 27), masks.float(), action))


def recurrent(net):
    state = (numbers(4, 1, 2, 128), numbers(5, 1, 2, 128))
    done = torch.tensor([0.0, 1.0, 0.0, 0.0])
    made = net.get_action_and_value(numbers(6, 4, 1, 84, 84), state, done, torch.tensor([0, 1, 2, 3]))
    return joined([*made[:4], *made[4]])


def forward(small, body, world, screen):
    return {
        "small": lambda: joined(small.get_action_and_value(numbers(0, 3, 4), torch.tensor([2, 0, 1]))),
        "value": lambda: small.get_value(numbers(0, 3, 4)),
        "body": lambda: joined(body.get_action_and_value(numbers(1, 3, 5), numbers(2, 3, 2))),
        "chosen": lambda: joined(small.get_action_and_value(numbers(7, 6, 4))),
        "masked": lambda: masked(world),
        "recurrent": lambda: recurrent(screen),
    }


def run(script, net, name, *options):
    """The script itself, from these weights; what it wrote and what its network became."""
    torch.save(net.state_dict(), "start.pt")
    argv = sys.argv
    sys.argv = [script, "--gym-id", name, "--num-envs", "2", "--num-steps", "8", "--num-minibatches", "2"]
    sys.argv += ["--update-epochs", "2", "--total-timesteps", "48", "--learning-rate", "1e-3", *options]
    try:
        names = runpy.run_path(script, run_name="__main__")
    finally:
        sys.argv = argv
    return names["agent"], [SummaryWriter.written[key] for key in sorted(SummaryWriter.written)]


def train(small, body, world, screen):
    first, losses = run("ppo.py", small, "small")
    _, others = run("ppo.py", small, "small", "--gae", "False", "--clip-vloss", "False", "--target-kl", "0.01")
    second, body_losses = run("ppo_continuous_action.py", body, "body")
    third, world_losses = run("ppo_multidiscrete_mask.py", world, "map")
    fourth, screen_losses = run("ppo_atari_lstm.py", screen, "screen", "--total-timesteps", "32")
    return {
        "losses": np.concatenate(losses),
        "other_losses": np.concatenate(others),
        "body_losses": np.concatenate(body_losses),
        "world_losses": np.concatenate(world_losses),
        "screen_losses": np.concatenate(screen_losses),
        "actor": first.actor[0].weight,
        "deviation": second.actor_logstd,
        "mean": second.actor_mean[2].weight,
        "conv": third.network[1].weight,
        "heads": third.actor.bias,
        "lstm": fourth.lstm.weight_hh_l0,
        "value": fourth.critic.weight,
    }


def init():
    torch.manual_seed(0)
    nets = build()
    return {"hidden": nets[0].actor[2].weight, "last": nets[0].actor[4].weight, "conv": nets[3].network[2].weight}
