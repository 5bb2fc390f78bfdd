import argparse
import tempfile

import numpy as np
import torch

from fqf_iqn_qrdqn.agent import FQFAgent, QRDQNAgent
from fqf_iqn_qrdqn.model import FQF, IQN, QRDQN

ACTIONS = 3
SHAPE = (2, 84, 84)


class Frames:
    """Stands in for an Atari game: frames are noise, and the reward tells whether the last action was right."""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)
        self.observation_space = argparse.Namespace(shape=SHAPE)
        self.action_space = argparse.Namespace(n=ACTIONS, sample=lambda: int(self.rng.randint(ACTIONS)))

    def seed(self, seed):
        self.rng = np.random.RandomState(seed % 2**31)

    def reset(self):
        self.count = 0
        return self.rng.randint(0, 256, SHAPE).astype(np.uint8)

    def step(self, action):
        self.count += 1
        frame = self.rng.randint(0, 256, SHAPE).astype(np.uint8)
        return frame, float(action == self.count % ACTIONS), self.count >= 6, {}

    def close(self):
        pass


def states(seed, count=2):
    return torch.from_numpy(np.random.RandomState(seed).rand(count, *SHAPE).astype("float32"))


def build():
    return (
        FQF(SHAPE[0], ACTIONS, N=5, num_cosines=8),
        QRDQN(SHAPE[0], ACTIONS, N=6, dueling_net=True),
        IQN(SHAPE[0], ACTIONS, K=4, num_cosines=8, noisy_net=True, dueling_net=True),
    )


def forward(fqf, qrdqn, iqn):
    for net in (fqf, qrdqn, iqn):
        net.eval()
    taus = torch.from_numpy(np.random.RandomState(5).rand(2, 4).astype("float32"))
    fractions, hats, entropies = fqf.calculate_fractions(states=states(0))
    return {
        "fractions": fractions,
        "hats": hats,
        "entropies": entropies,
        "fqf": lambda: fqf.calculate_q(states=states(0)),
        "qrdqn": lambda: qrdqn.calculate_q(states=states(1)),
        "iqn": lambda: iqn.calculate_quantiles(taus, states=states(2)),
    }


def agent(kind, net, **settings):
    made = kind(
        Frames(1), Frames(2), tempfile.mkdtemp(), batch_size=4, memory_size=64, start_steps=8, update_interval=4,
        target_update_interval=12, epsilon_decay_steps=20, eval_interval=20, num_eval_steps=7, log_interval=2,
        num_steps=19, cuda=False, grad_cliping=5.0, **settings
    )  # fmt: skip
    made.online_net.load_state_dict(net.state_dict())
    made.update_target()
    np.random.seed(3)
    made.run()
    return made


def train(fqf, qrdqn, iqn):
    first = agent(
        FQFAgent, fqf, N=5, num_cosines=8, ent_coef=0.01, quantile_lr=1e-3, fraction_lr=1e-6, multi_step=3
    )
    second = agent(QRDQNAgent, qrdqn, N=6, lr=1e-3, use_per=True, double_q_learning=True, dueling_net=True)
    return {
        "steps": [first.learning_steps, second.learning_steps],
        "scores": [first.best_eval_score, second.best_eval_score],
        "fraction": first.online_net.fraction_net.net[0].weight,
        "cosine": first.online_net.cosine_net.net[0].weight,
        "conv": first.online_net.dqn_net.net[2].weight,
        "target": first.target_net.dqn_net.net[0].bias,
        "advantage": second.online_net.advantage_net[2].weight,
        "baseline": second.target_net.baseline_net[2].weight,
        "priorities": second.memory.it_sum.sum(0, 16),
    }
