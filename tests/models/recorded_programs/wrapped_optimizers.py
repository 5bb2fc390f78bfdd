# ruff: noqa: B023, C408, UP008 - as such optimizers are written
"""Optimizers that hold another one: sharpness-aware minimisation in two steps and by a closure, Lookahead, and a
schedule that is no optimizer itself."""

from collections import OrderedDict, defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import Optimizer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 10)
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, adaptive=False, **kwargs):
        assert rho >= 0.0, f"Invalid rho, should be non-negative: {rho}"
        defaults = dict(rho=rho, adaptive=adaptive, **kwargs)
        super(SAM, self).__init__(params, defaults)
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups
        self.defaults.update(self.base_optimizer.defaults)

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        grad_norm = self._grad_norm()
        for group in self.param_groups:
            scale = group["rho"] / (grad_norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old_p"] = p.data.clone()
                e_w = (torch.pow(p, 2) if group["adaptive"] else 1.0) * p.grad * scale.to(p)
                p.add_(e_w)
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        assert closure is not None, "SAM requires closure, but it was not provided"
        closure = torch.enable_grad()(closure)
        self.first_step(zero_grad=True)
        closure()
        self.second_step()

    def _grad_norm(self):
        shared_device = self.param_groups[0]["params"][0].device
        norm = torch.norm(
            torch.stack(
                [
                    ((torch.abs(p) if group["adaptive"] else 1.0) * p.grad).norm(p=2).to(shared_device)
                    for group in self.param_groups
                    for p in group["params"]
                    if p.grad is not None
                ]
            ),
            p=2,
        )
        return norm

    def load_state_dict(self, state_dict):
        super().load_state_dict(state_dict)
        self.base_optimizer.param_groups = self.param_groups


class Lookahead(Optimizer):
    def __init__(self, base_optimizer, alpha=0.5, k=6):
        self._optimizer_step_pre_hooks = OrderedDict()
        self._optimizer_step_post_hooks = OrderedDict()
        defaults = dict(lookahead_alpha=alpha, lookahead_k=k, lookahead_step=0)
        self._base_optimizer = base_optimizer
        self.param_groups = base_optimizer.param_groups
        self.defaults = base_optimizer.defaults
        self.defaults.update(defaults)
        self.state = defaultdict(dict)
        for name, default in defaults.items():
            for group in self._base_optimizer.param_groups:
                group.setdefault(name, default)

    @torch.no_grad()
    def update_slow(self, group):
        for fast_p in group["params"]:
            if fast_p.grad is None:
                continue
            param_state = self._base_optimizer.state[fast_p]
            if "lookahead_slow_buff" not in param_state:
                param_state["lookahead_slow_buff"] = torch.empty_like(fast_p)
                param_state["lookahead_slow_buff"].copy_(fast_p)
            slow = param_state["lookahead_slow_buff"]
            slow.add_(fast_p - slow, alpha=group["lookahead_alpha"])
            fast_p.copy_(slow)

    @torch.no_grad()
    def step(self, closure=None):
        loss = self._base_optimizer.step(closure)
        for group in self.param_groups:
            group["lookahead_step"] += 1
            if group["lookahead_step"] % group["lookahead_k"] == 0:
                self.update_slow(group)
        return loss


class Slow:
    """The older way to write it, beside an optimizer."""

    def __init__(self, optimizer, k=5, alpha=0.5):
        self.optimizer = optimizer
        self.k, self.alpha = k, alpha
        self.param_groups = self.optimizer.param_groups
        self.state = defaultdict(dict)
        for group in self.param_groups:
            group["counter"] = 0

    def zero_grad(self):
        self.optimizer.zero_grad()

    def update(self, group):
        for fast in group["params"]:
            param_state = self.state[fast]
            if "slow_param" not in param_state:
                param_state["slow_param"] = torch.zeros_like(fast.data)
                param_state["slow_param"].copy_(fast.data)
            slow = param_state["slow_param"]
            slow += (fast.data - slow) * self.alpha
            fast.data.copy_(slow)

    def step(self, closure=None):
        loss = self.optimizer.step(closure)
        for group in self.param_groups:
            if group["counter"] == 0:
                self.update(group)
            group["counter"] += 1
            if group["counter"] >= self.k:
                group["counter"] = 0
        return loss


class ScheduledOptim:
    def __init__(self, optimizer, d_model, warmup):
        self._optimizer, self.warmup, self.steps = optimizer, warmup, 0
        self.init_lr = d_model**-0.5

    def step_and_update_lr(self):
        self.steps += 1
        lr = self.init_lr * min(self.steps**-0.5, self.steps * self.warmup**-1.5)
        for param_group in self._optimizer.param_groups:
            param_group["lr"] = lr
        self._optimizer.step()

    def zero_grad(self):
        self._optimizer.zero_grad()


def sharp(net, batches):
    optimizer = SAM(net.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    losses = []
    for x, y in batches:
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.first_step(zero_grad=True)
        F.cross_entropy(net(x), y).backward()
        optimizer.second_step(zero_grad=True)
        scheduler.step()
        losses.append(loss.item())
    return losses


def sharp_by_closure(net, batches):
    optimizer = SAM(net.parameters(), torch.optim.Adam, adaptive=True, rho=0.5, lr=0.1)
    losses = []
    for x, y in batches:

        def closure():
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            return loss

        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step(closure)
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def train(net, optimizer, batches):
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def scheduled(net, batches):
    optimizer = ScheduledOptim(torch.optim.Adam(net.parameters(), betas=(0.9, 0.98)), 16, 3)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step_and_update_lr()
        losses.append(loss.item())
    return losses


def networks():
    return Net(), Net(), Net(), Net(), Net()


def run(first, second, third, fourth, fifth, arrays):
    batches = list(zip(torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])))
    losses = sharp(first, batches) + sharp_by_closure(second, batches)
    losses += train(third, Lookahead(torch.optim.Adam(third.parameters(), lr=0.1), k=2), batches)
    losses += train(fourth, Slow(torch.optim.SGD(fourth.parameters(), lr=0.3), k=2), batches * 2)
    return losses + scheduled(fifth, batches)
