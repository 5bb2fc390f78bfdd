import numpy as np

from utils import *  # as the examples do: it brings torch along
from core.a2c import a2c_step
from core.common import estimate_advantages
from core.ppo import ppo_step
from core.trpo import conjugate_gradients, trpo_step
from models.mlp_critic import Value
from models.mlp_policy import Policy
from models.mlp_policy_disc import DiscretePolicy

dtype = torch.float64
torch.set_default_dtype(dtype)
device = torch.device("cuda", index=0) if torch.cuda.is_available() else torch.device("cpu")


def array(seed, *shape):
    return torch.from_numpy(np.random.RandomState(seed).randn(*shape)).to(dtype).to(device)


def build():
    return Policy(4, 2, (16, 16)), Value(4, (16, 16)), DiscretePolicy(4, 3, (16, 16))


def forward(policy, value, discrete):
    mean, log_std, std = policy(array(0, 6, 4))
    return {
        "mean": mean,
        "std": std,
        "value": value(array(0, 6, 4)),
        "probabilities": discrete(array(0, 6, 4)),
        "kl": policy.get_kl(array(0, 6, 4)),
        "log_prob": policy.get_log_prob(array(0, 6, 4), array(1, 6, 2)),
        "flat": get_flat_params_from(policy),
        "fim": lambda: policy.get_fim(array(0, 6, 4))[0],
    }


def batch(seed, value):
    states, actions = array(seed, 24, 4), array(seed + 1, 24, 2)
    rewards = array(seed + 2, 24)
    masks = torch.from_numpy((np.arange(24) % 8 != 7).astype("float64")).to(dtype)
    with torch.no_grad():
        values = value(states)
    advantages, returns = estimate_advantages(rewards, masks, values, 0.99, 0.95, device)
    return states, actions, returns, advantages


def train(policy, value, discrete):
    successes = []
    for i in range(2):
        states, actions, returns, advantages = batch(10 * i, value)
        successes.append(
            trpo_step(policy, value, states, actions, returns, advantages, 1e-2, 1e-2, 1e-3, use_fim=i == 0)
        )
    after_trpo = policy.affine_layers[0].weight.detach().clone()

    optimizer_policy = torch.optim.Adam(policy.parameters(), lr=1e-2)
    optimizer_value = torch.optim.Adam(value.parameters(), lr=1e-2)
    for i in range(2):
        states, actions, returns, advantages = batch(100 + 10 * i, value)
        a2c_step(policy, value, optimizer_policy, optimizer_value, states, actions, returns, advantages, 1e-3)
        with torch.no_grad():
            fixed_log_probs = policy.get_log_prob(states, actions)
        ppo_step(policy, value, optimizer_policy, optimizer_value, 1, states, actions, returns,
                 advantages, fixed_log_probs, 0.2, 1e-3)  # fmt: skip
    return {
        "successes": successes,
        "after_trpo": after_trpo,
        "affine": policy.affine_layers[1].weight,
        "log_std": policy.action_log_std,
        "value": value.value_head.weight,
    }
