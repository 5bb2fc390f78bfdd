import numpy as np
import torch

from agent import PPOAgent
from networks import ActorCritic


def build():
    return ActorCritic(3, 2)


def init():
    net = ActorCritic(3, 2)
    return {"fc2": net.fc2.weight, "actor": net.actor.weight, "critic_bias": net.critic.bias}


def rollout(seed, steps=24):
    rng = np.random.RandomState(seed)
    return {
        "states": rng.rand(steps, 3).astype("float32"),
        "actions": rng.randint(0, 2, steps),
        "log_probs": np.log(rng.uniform(0.3, 0.7, steps)),
        "rewards": rng.randn(steps),
        "values": rng.randn(steps),
        "dones": (rng.rand(steps) > 0.9).astype("float32"),
    }


def forward(net):
    data = rollout(0)
    probs, values = net(torch.from_numpy(data["states"]))
    log_probs, _, entropy = net.evaluate(torch.from_numpy(data["states"]), torch.from_numpy(data["actions"]))
    return {"probs": probs, "values": values, "log_probs": log_probs, "entropy": entropy}


def train(net):
    agent = PPOAgent(3, 2)
    agent.net.load_state_dict(net.state_dict())
    losses = agent.update(rollout(1)) + agent.update(rollout(2))
    agent.save("agent.pth")
    action, log_prob, value = agent.net.act(rollout(3)["states"][0])
    return {"losses": losses, "value": value, "fc1": agent.net.fc1.weight, "critic": agent.net.critic.weight}
