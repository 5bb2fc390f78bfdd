import random

import numpy as np
import torch

from agent import IQN_Agent, calculate_huber_loss
from model import IQN, NoisyLinear, weight_init

STATE, ACTIONS, WORKERS = (4,), 3, 2
KINDS = {
    "plain": ("iqn", False),
    "munchausen": ("iqn+duel", True),
    "noisy": ("noisy_iqn+per", False),
    "all": ("noisy_dueling+per", True),
}
agents = {}


def agent(network, munchausen):
    return IQN_Agent(
        state_size=STATE, action_size=ACTIONS, network=network, munchausen=munchausen, layer_size=16, n_step=2,
        BATCH_SIZE=3, BUFFER_SIZE=30, LR=1e-3, TAU=0.05, GAMMA=0.9, N=5, worker=WORKERS, device="cpu", seed=7,
    )  # fmt: skip


def build():
    nets = []
    for name, how in KINDS.items():
        agents[name] = agent(*how)
        nets += [agents[name].qnetwork_local, agents[name].qnetwork_target]
    return (*nets, IQN((4, 84, 84), 2, 12, 1, 3, 4, dueling=True, device="cpu"))


def init():
    torch.manual_seed(1)
    noisy = NoisyLinear(40, 30)
    net = IQN((20,), 4, 32, 1, 5, 8, device="cpu")
    plain = torch.nn.Linear(40, 30)
    weight_init([plain])
    return {
        "noisy": noisy.weight,
        "noisy_bias": noisy.bias,
        "sigma": noisy.sigma_weight,
        "cosine": net.cos_embedding.weight,
        "out": net.ff_1.weight,
        "kaiming": plain.weight,
    }


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape).astype("float32"))


def forward(*nets):
    for one in nets:
        one.eval()
    names = list(KINDS)

    def acted(name, **how):
        random.seed(2)
        return np.array(agents[name].act(np.random.RandomState(5).randn(WORKERS, 4), **how))

    with torch.no_grad():
        found = {name: (lambda net=net: net(array(1, 3, 4), 6)[0]) for name, net in zip(names, nets[::2])}
        return {
            **found,
            "values": lambda: nets[0].get_qvalues(array(2, 5, 4)),
            "taus": lambda: nets[0](array(1, 3, 4))[1],
            "pictures": lambda: nets[-1](array(3, 2, 4, 84, 84), 4)[0],
            "greedy": lambda: [acted(name) for name in ("plain", "munchausen")],
            "free": lambda: acted("plain", eps=1.1),
            "tested": lambda: acted("plain", eps=1.1, eval=True),
            "huber": lambda: calculate_huber_loss(2 * array(4, 3, 5, 5), 1.0),
            "modes": lambda: [net.training for net in nets[:2]],
        }


class Board:
    """Stands for the writer of TensorBoard."""

    def __init__(self):
        self.values = []

    def add_scalar(self, name, value, step):
        self.values.append([float(value), step])


def play(one, steps=8):
    """Workers in turn, as run.py plays."""
    board, draw = Board(), np.random.RandomState(6)
    random.seed(8)
    np.random.seed(9)
    states = draw.randn(WORKERS, *STATE)
    for step in range(steps):
        actions = one.act(states, eps=0.3 if step % 2 else 0.0)
        following = 0.8 * states + 0.1 * draw.randn(WORKERS, *STATE) + 0.05 * np.array(actions)[:, None]
        for state, action, reward, next_state, done in zip(
            states, actions, draw.randn(WORKERS), following, draw.rand(WORKERS) < 0.2
        ):
            one.step(state, action, reward, next_state, done, board)
        states = following
    return board.values


def train(*nets):
    results = {}
    for name, one in agents.items():
        results[name + "_losses"] = play(one)
        results[name + "_updates"] = one.Q_updates
        results[name + "_head"] = one.qnetwork_local.head.weight
        results[name + "_layer"] = one.qnetwork_target.ff_1.weight
        if one.per:
            results[name + "_sigma"] = one.qnetwork_local.ff_1.sigma_weight
            results[name + "_noise"] = one.qnetwork_local.ff_1.epsilon_weight
            results[name + "_priorities"] = one.memory.priorities
    torch.save(agents["plain"].qnetwork_local.state_dict(), "kept.pth")
    other = agent(*KINDS["plain"])
    other.qnetwork_local.load_state_dict(torch.load("kept.pth"))
    with torch.no_grad():
        results["again"] = other.qnetwork_local.get_qvalues(array(2, 5, 4))
    results["losses"] = results["plain_losses"]
    return results
