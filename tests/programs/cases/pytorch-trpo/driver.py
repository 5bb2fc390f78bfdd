import argparse

import numpy as np
import scipy.optimize
import torch
from torch.autograd import Variable

from conjugate_gradients import conjugate_gradients, flat_grad_from
from models import Policy, Value
from replay_memory import Memory
from running_state import ZFilter
from trpo import trpo_step
from utils import (
    get_flat_grad_from, get_flat_params_from, normal_entropy, normal_log_density, set_flat_params_to,
)  # fmt: skip

torch.set_default_tensor_type("torch.DoubleTensor")

args = argparse.Namespace(
    gamma=0.995, tau=0.97, l2_reg=1e-3, max_kl=1e-2, damping=1e-1, batch_size=30, seed=543
)


class Environment:
    """A point that is pushed to the middle: what gym.make gives, as far as it is used."""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.steps = 0
        self.state = self.rng.randn(4)
        return self.state

    def step(self, action):
        self.steps += 1
        self.state = 0.9 * self.state + 0.1 * np.concatenate([action, -action])
        return self.state, -float(np.square(self.state).sum()), self.steps == 10, {}


def build():
    return Policy(4, 2), Value(4)


def init():
    torch.manual_seed(1)
    policy, value = Policy(4, 2), Value(4)
    return {"affine": policy.affine2.weight, "mean": policy.action_mean.weight, "value": value.affine2.weight}


def select_action(policy_net, state, rng):
    state = torch.from_numpy(state).unsqueeze(0)
    action_mean, _, action_std = policy_net(Variable(state))
    return action_mean + action_std * torch.from_numpy(rng.randn(1, 2))


def collect(policy_net, running_state, seed):
    env, rng, memory = Environment(seed), np.random.RandomState(seed + 1), Memory()
    num_steps = 0
    while num_steps < args.batch_size:
        state = env.reset()
        state = running_state(state)
        for t in range(10000):
            action = select_action(policy_net, state, rng)
            action = action.data[0].numpy()
            next_state, reward, done, _ = env.step(action)
            next_state = running_state(next_state)
            mask = 1
            if done:
                mask = 0
            memory.push(state, np.array([action]), mask, next_state, reward)
            if done:
                break
            state = next_state
        num_steps += t - 1
    return memory.sample()


def update_params(batch, policy_net, value_net):
    """What main.py does with a batch; it cannot be imported, for it runs at once."""
    rewards = torch.Tensor(batch.reward)
    masks = torch.Tensor(batch.mask)
    actions = torch.Tensor(np.concatenate(batch.action, 0))
    states = torch.Tensor(np.array(batch.state))
    values = value_net(Variable(states))

    returns = torch.Tensor(actions.size(0), 1)
    deltas = torch.Tensor(actions.size(0), 1)
    advantages = torch.Tensor(actions.size(0), 1)

    prev_return = 0
    prev_value = 0
    prev_advantage = 0
    for i in reversed(range(rewards.size(0))):
        returns[i] = rewards[i] + args.gamma * prev_return * masks[i]
        deltas[i] = rewards[i] + args.gamma * prev_value * masks[i] - values.data[i]
        advantages[i] = deltas[i] + args.gamma * args.tau * prev_advantage * masks[i]

        prev_return = returns[i, 0]
        prev_value = values.data[i, 0]
        prev_advantage = advantages[i, 0]

    targets = Variable(returns)

    # Original code uses the same LBFGS to optimize the value loss
    def get_value_loss(flat_params):
        set_flat_params_to(value_net, torch.Tensor(flat_params))
        for param in value_net.parameters():
            if param.grad is not None:
                param.grad.data.fill_(0)

        values_ = value_net(Variable(states))

        value_loss = (values_ - targets).pow(2).mean()

        # weight decay
        for param in value_net.parameters():
            value_loss += param.pow(2).sum() * args.l2_reg
        value_loss.backward()
        return (value_loss.data.double().numpy(), get_flat_grad_from(value_net).data.double().numpy())

    flat_params, value_loss, opt_info = scipy.optimize.fmin_l_bfgs_b(
        get_value_loss, get_flat_params_from(value_net).double().numpy(), maxiter=5
    )
    set_flat_params_to(value_net, torch.Tensor(flat_params))

    advantages = (advantages - advantages.mean()) / advantages.std()

    action_means, action_log_stds, action_stds = policy_net(Variable(states))
    fixed_log_prob = normal_log_density(
        Variable(actions), action_means, action_log_stds, action_stds
    ).data.clone()

    def get_loss(volatile=False):
        if volatile:
            with torch.no_grad():
                action_means, action_log_stds, action_stds = policy_net(Variable(states))
        else:
            action_means, action_log_stds, action_stds = policy_net(Variable(states))

        log_prob = normal_log_density(Variable(actions), action_means, action_log_stds, action_stds)
        action_loss = -Variable(advantages) * torch.exp(log_prob - Variable(fixed_log_prob))
        return action_loss.mean()

    def get_kl():
        mean1, log_std1, std1 = policy_net(Variable(states))

        mean0 = Variable(mean1.data)
        log_std0 = Variable(log_std1.data)
        std0 = Variable(std1.data)
        kl = log_std1 - log_std0 + (std0.pow(2) + (mean0 - mean1).pow(2)) / (2.0 * std1.pow(2)) - 0.5
        return kl.sum(1, keepdim=True)

    loss = trpo_step(policy_net, get_loss, get_kl, args.max_kl, args.damping)
    return value_loss, loss.item()


def states(seed):
    return torch.from_numpy(np.random.RandomState(seed).randn(5, 4))


def solved():
    matrix = torch.from_numpy(np.diag([1.0, 2.0, 4.0]) + 0.1)
    return conjugate_gradients(lambda v: torch.mv(matrix, v), torch.tensor([1.0, -1.0, 0.5]), 3)


def flat_gradient(value_net):
    value_net(states(1)).pow(2).sum().backward()
    return flat_grad_from(value_net)


def forward(policy_net, value_net):
    mean, log_std, std = policy_net(states(0))
    return {
        "mean": mean,
        "std": std,
        "entropy": normal_entropy(std),
        "value": value_net(states(0)),
        "flat": get_flat_params_from(policy_net),
        "solved": lambda: solved(),
        "flat_gradient": lambda: flat_gradient(value_net),
    }


def train(policy_net, value_net):
    running_state = ZFilter((4,), clip=5)
    losses = []
    for episode in range(2):
        batch = collect(policy_net, running_state, 10 * episode)
        losses.append(update_params(batch, policy_net, value_net))
    return {
        "losses": np.array(losses),
        "affine": policy_net.affine1.weight,
        "log_std": policy_net.action_log_std,
        "value": value_net.value_head.weight,
    }
