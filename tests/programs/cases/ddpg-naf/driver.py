import random

import numpy as np
import torch

from ddpg import DDPG, hard_update
from naf import NAF
from ounoise import OUNoise
from replay_memory import ReplayMemory, Transition

STATE, ACTION, HIDDEN = 5, 2, 12
agents = {}


class Box:
    shape = (ACTION,)


def build():
    agents["naf"] = NAF(0.99, 0.05, HIDDEN, STATE, Box())
    agents["ddpg"] = DDPG(0.99, 0.05, HIDDEN, STATE, Box())
    return agents["naf"].model, agents["ddpg"].actor, agents["ddpg"].critic


def rows(seed, count, width):
    return torch.from_numpy(np.random.RandomState(seed).randn(count, width).astype("float32"))


def forward(*nets):
    states, actions = rows(0, 4, STATE), rows(1, 4, ACTION)
    naf, ddpg = agents["naf"], agents["ddpg"]
    naf.model.eval()
    chosen, value, state_value = naf.model((states, actions))
    naf.model.train()
    return {
        "naf_action": chosen,
        "naf_value": value,
        "naf_state_value": state_value,
        "ddpg_action": ddpg.actor(states),
        "ddpg_value": ddpg.critic(states, actions),
        "naf_selected": naf.select_action(states),
        "ddpg_selected": ddpg.select_action(states),
    }


def filled_memory():
    memory = ReplayMemory(60)
    for step in range(70):
        memory.push(
            rows(step, 1, STATE),
            torch.Tensor([np.random.RandomState(step).uniform(-1, 1, ACTION)]),
            torch.Tensor([float(step % 9 != 8)]),
            rows(step + 1, 1, STATE),
            torch.Tensor([np.sin(step)]),
        )
    return memory


def train(*nets):
    random.seed(0)
    np.random.seed(0)
    hard_update(agents["naf"].target_model, agents["naf"].model)
    hard_update(agents["ddpg"].actor_target, agents["ddpg"].actor)
    hard_update(agents["ddpg"].critic_target, agents["ddpg"].critic)
    memory, noise = filled_memory(), OUNoise(ACTION)
    results = {}
    for name, agent in agents.items():
        losses = []
        for _ in range(4):
            batch = Transition(*zip(*memory.sample(16)))
            losses.append(agent.update_parameters(batch))
        results[f"{name}_losses"] = torch.tensor(losses)
        noise.reset()
        results[f"{name}_noisy"] = agent.select_action(rows(3, 2, STATE), noise)
    results["naf_weight"] = agents["naf"].model.linear1.weight
    results["naf_target"] = agents["naf"].target_model.mu.weight
    results["ddpg_actor"] = agents["ddpg"].actor.mu.weight
    results["ddpg_target"] = agents["ddpg"].critic_target.linear2.weight
    return results
