import random

import numpy as np
import torch

import ddpg
import ppo

STEPS = 20


def build():
    return ppo.PPO(), ddpg.MuNet(), ddpg.QNet()


def init():
    torch.manual_seed(1)
    return {"fc1": ppo.PPO().fc1.weight, "fc_s": ddpg.QNet().fc_s.weight}


def states(seed, size, width):
    return np.random.RandomState(seed).randn(size, width).astype("float32")


def forward(model, mu, q):
    x = torch.from_numpy(states(0, 6, 4))
    s = torch.from_numpy(states(1, 6, 3))
    action = mu(s)
    return {
        "pi": model.pi(x, softmax_dim=1),
        "pi_of_one": model.pi(torch.from_numpy(states(2, 1, 4)[0]).float()),
        "v": model.v(x),
        "action": action,
        "q": q(s, action),
    }


def train(model, mu, q):
    rng = np.random.RandomState(3)
    for _ in range(3):
        s = rng.randn(4).astype("float32")
        for step in range(STEPS):
            prob = model.pi(torch.from_numpy(s).float())
            action = int(rng.randint(2))
            s_prime = rng.randn(4).astype("float32")
            model.put_data((s, action, rng.rand(), s_prime, prob[action].item(), step == STEPS - 1))
            s = s_prime
        model.train_net()

    random.seed(0)
    mu_target, q_target = ddpg.MuNet(), ddpg.QNet()
    q_target.load_state_dict(q.state_dict())
    mu_target.load_state_dict(mu.state_dict())
    mu_optimizer = torch.optim.Adam(mu.parameters(), lr=ddpg.lr_mu)
    q_optimizer = torch.optim.Adam(q.parameters(), lr=ddpg.lr_q)
    memory = ddpg.ReplayBuffer()
    for step in range(64):
        memory.put((rng.randn(3), float(rng.randn()), float(rng.randn()), rng.randn(3), step % 7 == 6))
    for _ in range(3):
        ddpg.train(mu, mu_target, q, q_target, memory, q_optimizer, mu_optimizer)
        ddpg.soft_update(mu, mu_target)
        ddpg.soft_update(q, q_target)
    return {
        "fc_pi": model.fc_pi.weight,
        "fc_v": model.fc_v.weight,
        "q": q.fc_q.weight,
        "q_target": q_target.fc_out.weight,
        "fc_mu": mu.fc_mu.weight,
    }
