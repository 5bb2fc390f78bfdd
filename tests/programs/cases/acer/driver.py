import argparse
import csv
import os
import pickle
import random
import types

import numpy as np
import torch

import test as tester
import train as trainer
from memory import EpisodicReplayMemory
from model import ActorCritic
from optim import SharedRMSprop
from utils import Counter, state_to_tensor

SPACES = types.SimpleNamespace(shape=(4,)), types.SimpleNamespace(n=3)


class World:
    observation_space, action_space = SPACES

    def seed(self, seed):
        self.rng = np.random.RandomState(seed)
        # After first sight: what seeds MindSpore seeds Python's `random` too, which the program leaves alone.
        random.seed(seed)

    def reset(self):
        self.steps = 0
        return self.rng.randn(4)

    def step(self, action):
        self.steps += 1
        return self.rng.randn(4) + 0.1 * action, 2.0 * self.rng.randn(), self.steps == 7, {}

    def close(self):
        pass


trainer.gym = tester.gym = types.SimpleNamespace(make=lambda name: World())


def arguments(**changes):
    given = dict(
        seed=123, num_processes=1, T_max=20, t_max=5, max_episode_length=10, hidden_size=6, on_policy=False,
        memory_capacity=100, replay_ratio=2, replay_start=8, discount=0.9, trace_max=1.2, trust_region=True,
        trust_region_decay=0.99, trust_region_threshold=0.1, reward_clip=True, lr=0.01, lr_decay=True, batch_size=3,
        entropy_weight=0.01, max_gradient_norm=4, evaluate=True, evaluation_episodes=2, render=False, name="acer", env="World",
    )  # fmt: skip
    given.update(changes)
    return argparse.Namespace(**given)


def build():
    return tuple(ActorCritic(*SPACES, 6) for _ in range(6))


def state(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 4).astype("float32"))


def hidden(seed, count):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, 6).astype("float32"))


def remembered():
    memory = EpisodicReplayMemory(40, 10)
    for step in range(9):
        ends = step % 4 == 3
        memory.append(
            state(step, 1), None if ends else torch.tensor(step), None if ends else 0.5 * step, None
        )
    random.seed(2)
    batch = memory.sample_batch(2, maxlen=2)
    return [memory.length(), len(memory), len(batch), torch.cat([one.state for one in batch[1]], 0)]


def forward(net, *others):
    average = others[0]

    def transferred():
        policy, Q, V, (hx, cx) = net(state(1, 2), (hidden(2, 2), hidden(3, 2)))
        (policy.log().sum() + V.sum() + Q.mean()).backward()
        trainer._transfer_grads_to_shared_model(net, average)
        given = [one.grad.clone() for one in average.parameters()]
        same = net.fc1.weight.grad is average.fc1.weight.grad
        for one in (net, average):
            one.zero_grad()
        return [*given, same, len(given)]

    def trusted():
        distribution = torch.softmax(state(4, 2), 1)
        reference = torch.softmax(state(5, 2), 1)
        none = torch.zeros(2, 4)
        return [
            trainer._trust_region_loss(
                net, distribution, reference, distribution.sum(), 0.1, state(6, 2), state(7, 2)
            ),
            trainer._trust_region_loss(
                net, distribution, reference, distribution.sum(), 0.1, state(6, 2), none
            ),
        ]

    return {
        "output": lambda: [*net(state(1, 2), (hidden(2, 2), hidden(3, 2)))[:3]],
        "hidden": lambda: [*net(state(1, 2), (hidden(2, 2), hidden(3, 2)))[3]],
        "transferred": transferred,
        "trusted": trusted,
        "remembered": remembered,
        "state": lambda: state_to_tensor(np.arange(4.0)),
    }


def trained(shared, average, args):
    """What main() does, with one process."""
    counter = Counter()
    shared.share_memory()
    average.load_state_dict(shared.state_dict())
    average.share_memory()
    for param in average.parameters():
        param.requires_grad = False
    optimiser = SharedRMSprop(shared.parameters(), lr=args.lr, alpha=0.99)
    optimiser.share_memory()
    trainer.train(1, args, counter, shared, average, optimiser)
    folder = os.path.join("results", args.name)
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, "results.csv")
    if os.path.exists(name):
        os.remove(name)
    tested = Counter()
    tester.test(0, args, tested, shared)
    with open(os.path.join(folder, "results.pck"), "rb") as f:
        kept = pickle.load(f)
    with open(name) as f:
        rows = list(csv.reader(f))
    average_state = optimiser.state[shared.fc_actor.weight]
    return {
        "lstm": shared.lstm.weight_hh,
        "actor": shared.fc_actor.weight,
        "critic": shared.fc_critic.bias,
        "average": average.fc1.weight,
        "square_avg": average_state["square_avg"],
        "steps": average_state["step"],
        "rate": [group["lr"] for group in optimiser.param_groups],
        "counted": [counter.value(), len(rows), kept["avg_steps"][0]],
        "reward": kept["reward"],
    }


def train(*nets):
    results = {}
    runs = {
        "off": arguments(),
        "plain": arguments(trust_region=False, reward_clip=False, lr_decay=False),
        "on": arguments(on_policy=True, trust_region=False),
    }
    for index, (name, args) in enumerate(runs.items()):
        for key, value in trained(nets[2 * index], nets[2 * index + 1], args).items():
            results[f"{name}_{key}"] = value
    return results
