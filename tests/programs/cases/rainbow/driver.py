import argparse

import numpy as np
import torch

from agent import Agent
from memory import ReplayMemory
from model import DQN

ACTIONS = 4
args = argparse.Namespace(
    device=torch.device("cpu"),
    architecture="data-efficient",
    history_length=4,
    hidden_size=16,
    noisy_std=0.1,
    atoms=11,
    V_min=-10,
    V_max=10,
    model=None,
    batch_size=8,
    multi_step=3,
    discount=0.99,
    norm_clip=10,
    learning_rate=1e-3,
    adam_eps=1.5e-4,
    priority_exponent=0.5,
    priority_weight=0.4,
)


class Environment:
    def action_space(self):
        return ACTIONS


def build():
    return DQN(args, ACTIONS)


def init():
    torch.manual_seed(1)
    net = DQN(args, ACTIONS)
    return {"weight_mu": net.fc_h_v.weight_mu, "conv": net.convs[0].weight}


def states(seed, count):
    rng = np.random.RandomState(seed)
    return torch.from_numpy((rng.randint(0, 256, (count, 4, 84, 84)) / 255).astype("float32"))


def forward(net):
    x = states(0, 3)
    net.train()
    noisy = net(x)  # with the noise that lies in the buffers
    net.eval()
    return {"noisy": noisy, "probabilities": net(x), "log_probabilities": lambda: net(x, log=True)}


def train(net):
    agent = Agent(args, Environment())
    agent.online_net.load_state_dict(net.state_dict())
    agent.update_target_net()
    # Without the noise, which is drawn anew in each step
    agent.eval()
    agent.target_net.eval()
    rng = np.random.RandomState(1)
    memory = ReplayMemory(args, 64)
    for step, state in enumerate(states(2, 60)):
        memory.append(state, rng.randint(ACTIONS), rng.randn(), step % 20 == 19)
    np.random.seed(0)
    totals = []
    for step in range(3):
        agent.learn(memory)
        totals.append(float(memory.transitions.total()))
        if step == 1:
            agent.update_target_net()
    state = states(3, 1)[0]
    return {
        "totals": totals,
        "q": agent.evaluate_q(state),
        "action": agent.act(state),
        "weight": agent.online_net.fc_h_v.weight_mu,
        "conv": agent.online_net.convs[0].weight,
    }
