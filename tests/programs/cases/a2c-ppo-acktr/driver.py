import numpy as np
import torch
from a2c_ppo_acktr import algo, utils
from a2c_ppo_acktr.model import Policy
from a2c_ppo_acktr.storage import RolloutStorage

STEPS, PROCESSES, OBSERVED = 6, 4, 5


class Discrete:
    def __init__(self, n):
        self.n = n


class Box:
    def __init__(self, shape):
        self.shape = shape


SPACES = {"walker": Box((2,)), "memory": Discrete(3), "atari": Discrete(4)}
SHAPES = {"walker": (OBSERVED,), "memory": (OBSERVED,), "atari": (2, 84, 84)}


def build():
    walker = Policy(SHAPES["walker"], SPACES["walker"], base_kwargs={"recurrent": False})
    memory = Policy(SHAPES["memory"], SPACES["memory"], base_kwargs={"recurrent": True, "hidden_size": 16})
    atari = Policy(SHAPES["atari"], SPACES["atari"], base_kwargs={"recurrent": False, "hidden_size": 32})
    return walker, memory, atari


def observations(name, seed):
    random = np.random.RandomState(seed)
    if name == "atari":
        values = random.randint(0, 256, (PROCESSES, *SHAPES[name]))
    else:
        values = random.randn(PROCESSES, *SHAPES[name])
    return torch.from_numpy(values.astype("float32"))


def forward(walker, memory, atari):
    results = {}
    for name, policy in (("walker", walker), ("memory", memory), ("atari", atari)):
        policy.eval()
        states = torch.zeros(PROCESSES, policy.recurrent_hidden_state_size)
        with torch.no_grad():
            value, action, action_log_probs, states = policy.act(
                observations(name, 0), states, torch.ones(PROCESSES, 1), deterministic=True
            )
        results[f"{name}_value"] = value
        results[f"{name}_action"] = action
        results[f"{name}_log_probs"] = action_log_probs
        results[f"{name}_states"] = states
    return results


def collect(name, policy, rollouts, update):
    """As main.py, with the environments' answers and the actions from numbers made up."""
    random = np.random.RandomState(100 + update)
    for step in range(STEPS):
        if name == "walker":
            action = torch.from_numpy(random.randn(PROCESSES, 2).astype("float32"))
        else:
            action = torch.from_numpy(random.randint(0, SPACES[name].n, (PROCESSES, 1)).astype("int64"))
        with torch.no_grad():
            value, action_log_prob, _, recurrent_hidden_states = policy.evaluate_actions(
                rollouts.obs[step], rollouts.recurrent_hidden_states[step], rollouts.masks[step], action
            )
        reward = torch.from_numpy(random.randn(PROCESSES, 1).astype("float32"))
        masks = torch.FloatTensor([[0.0] if random.uniform() < 0.2 else [1.0] for _ in range(PROCESSES)])
        bad_masks = torch.FloatTensor([[1.0] for _ in range(PROCESSES)])
        obs = observations(name, 1000 * update + step)
        rollouts.insert(
            obs, recurrent_hidden_states, action, action_log_prob, value, reward, masks, bad_masks
        )
    with torch.no_grad():
        next_value = policy.get_value(
            rollouts.obs[-1], rollouts.recurrent_hidden_states[-1], rollouts.masks[-1]
        ).detach()
    rollouts.compute_returns(next_value, True, 0.99, 0.95, False)


def train(walker, memory, atari):
    agents = {
        "walker": algo.PPO(walker, 0.2, 2, 1, 0.5, 0.01, lr=3e-4, eps=1e-5, max_grad_norm=0.5),
        "memory": algo.PPO(memory, 0.2, 2, 1, 0.5, 0.01, lr=3e-4, eps=1e-5, max_grad_norm=0.5),
        "atari": algo.A2C_ACKTR(atari, 0.5, 0.01, lr=7e-4, eps=1e-5, alpha=0.99, max_grad_norm=0.5),
    }
    results = {}
    for name, agent in agents.items():
        policy = agent.actor_critic
        policy.train()
        rollouts = RolloutStorage(
            STEPS, PROCESSES, SHAPES[name], SPACES[name], policy.recurrent_hidden_state_size
        )
        rollouts.obs[0].copy_(observations(name, 7))
        losses = []
        for update in range(2):
            utils.update_linear_schedule(agent.optimizer, update, 10, 3e-4)
            collect(name, policy, rollouts, update)
            losses += agent.update(rollouts)
            rollouts.after_update()
        results[f"{name}_losses"] = losses
        results[f"{name}_critic"] = policy.base.critic_linear.weight
    results["logstd"] = walker.dist.logstd._bias
    results["gru"] = memory.base.gru.weight_hh_l0
    results["convolution"] = atari.base.main[0].weight
    return results


def init():
    walker, memory, atari = build()
    return {
        "actor": walker.base.actor[0].weight,
        "gru": memory.base.gru.weight_ih_l0,
        "convolution": atari.base.main[2].weight,
        "distribution": atari.dist.linear.weight,
    }
