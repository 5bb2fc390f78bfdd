# ruff: noqa: B023, C408, SIM300, UP008, UP032 - as such optimizers are written
"""Optimizers that a program defines itself, as they are written today and as they were written before torch 1.5."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, StepLR
from torch.optim.optimizer import Optimizer, required


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 10)
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr=0, momentum=0.9, weight_decay=0, trust=0.1):
        defaults = dict(lr=lr, momentum=momentum, weight_decay=weight_decay, trust=trust)
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                dp = p.grad
                if dp is None:
                    continue
                if p.ndim > 1:
                    dp = dp.add(p, alpha=g["weight_decay"])
                    norm, update = torch.norm(p), torch.norm(dp)
                    one = torch.ones_like(norm)
                    q = torch.where(norm > 0.0, torch.where(update > 0, g["trust"] * norm / update, one), one)
                    dp = dp.mul(q)
                state = self.state[p]
                if "mu" not in state:
                    state["mu"] = torch.zeros_like(p)
                mu = state["mu"]
                mu.mul_(g["momentum"]).add_(dp)
                p.add_(mu, alpha=-g["lr"])


class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0):
        if not 0.0 <= lr:
            raise ValueError("Invalid learning rate: {}".format(lr))
        buffer = [[None, None, None] for _ in range(10)]
        defaults = dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, buffer=buffer)
        super(RAdam, self).__init__(params, defaults)

    def __setstate__(self, state):
        super(RAdam, self).__setstate__(state)

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()

        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data.float()
                if grad.is_sparse:
                    raise RuntimeError("RAdam does not support sparse gradients")
                p_data_fp32 = p.data.float()
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p_data_fp32)
                    state["exp_avg_sq"] = torch.zeros_like(p_data_fp32)
                else:
                    state["exp_avg"] = state["exp_avg"].type_as(p_data_fp32)
                    state["exp_avg_sq"] = state["exp_avg_sq"].type_as(p_data_fp32)
                exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
                beta1, beta2 = group["betas"]
                exp_avg_sq.mul_(beta2).addcmul_(1 - beta2, grad, grad)
                exp_avg.mul_(beta1).add_(1 - beta1, grad)

                self.state[p]["step"] += 1
                buffered = group["buffer"][int(state["step"] % 10)]
                if state["step"] == buffered[0]:
                    n_sma, step_size = buffered[1], buffered[2]
                else:
                    buffered[0] = state["step"]
                    beta2_t = beta2 ** state["step"]
                    n_sma_max = 2 / (1 - beta2) - 1
                    n_sma = n_sma_max - 2 * state["step"] * beta2_t / (1 - beta2_t)
                    buffered[1] = n_sma
                    step_size = 1.0 / (1 - beta1 ** state["step"])
                    if n_sma >= 5:
                        rectified = (n_sma - 4) / (n_sma_max - 4) * (n_sma - 2) / n_sma
                        step_size *= math.sqrt((1 - beta2_t) * rectified * n_sma_max / (n_sma_max - 2))
                    buffered[2] = step_size

                if group["weight_decay"] != 0:
                    p_data_fp32.add_(-group["weight_decay"] * group["lr"], p_data_fp32)
                if n_sma >= 5:
                    denom = exp_avg_sq.sqrt().add_(group["eps"])
                    p_data_fp32.addcdiv_(-step_size * group["lr"], exp_avg, denom)
                else:
                    p_data_fp32.add_(-step_size * group["lr"], exp_avg)
                p.data.copy_(p_data_fp32)
        return loss


class Momentum(Optimizer):
    """SGD whose gradients are centred, with a rate that has no default."""

    def __init__(self, params, lr=required, momentum=0):
        if lr is not required and lr < 0.0:
            raise ValueError("Invalid learning rate")
        super(Momentum, self).__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            momentum = group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                if d_p.dim() > 1:
                    d_p.add_(-d_p.mean(dim=1, keepdim=True))
                if momentum != 0:
                    param_state = self.state[p]
                    if "momentum_buffer" not in param_state:
                        buf = param_state["momentum_buffer"] = torch.zeros_like(p.data)
                        buf.mul_(momentum).add_(d_p)
                    else:
                        buf = param_state["momentum_buffer"]
                        buf *= momentum
                        buf += d_p
                    d_p = buf
                p.data.add_(-group["lr"], d_p)


class Sign(Optimizer):
    def __init__(self, params, lr=1e-4, beta=0.9):
        super().__init__(params, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    mean = self.state[p].setdefault("mean", torch.zeros_like(p))
                    p -= group["lr"] * torch.sign(mean * group["beta"] + p.grad * (1 - group["beta"]))
                    mean.lerp_(p.grad, 1 - group["beta"])
        return loss


def train(net, optimizer, batches, scheduler=None):
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
    return losses


def by_closure(net, optimizer, batches):
    losses = []
    for x, y in batches:

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            return loss

        losses.append(optimizer.step(closure).item())
        optimizer.param_groups[0]["lr"] *= 0.5
    return losses


def networks():
    return Net(), Net(), Net(), Net()


def run(first, second, third, fourth, arrays):
    batches = list(zip(torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])))
    lars = LARS(first.parameters(), lr=0.5, weight_decay=0.01)
    losses = train(first, lars, batches, StepLR(lars, 2, gamma=0.5))
    radam = RAdam(filter(lambda p: p.requires_grad, second.parameters()), lr=0.05, weight_decay=0.01)
    losses += train(second, radam, batches, CosineAnnealingLR(radam, 4))
    groups = [{"params": third.body.parameters(), "lr": 0.05}, {"params": third.head.parameters()}]
    momentum = Momentum(groups, lr=0.1, momentum=0.9)
    losses += train(third, momentum, batches[:3], LambdaLR(momentum, lambda epoch: 0.9**epoch))
    again = Momentum(groups_of(third), lr=0.3)
    again.load_state_dict(momentum.state_dict())
    losses += train(third, again, batches[3:])
    losses += by_closure(fourth, Sign(fourth.parameters(), lr=0.1), batches)
    losses.append(sum(isinstance(one, torch.optim.Optimizer) for one in (lars, radam, again, first)))
    return losses


def groups_of(net):
    return [{"params": net.body.parameters()}, {"params": net.head.parameters()}]
