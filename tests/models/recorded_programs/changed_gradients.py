"""Gradients that the program changes in place, of parameters that are added to each other, and has by names from before
they are limited; a parameter that stands twice in its group is stepped twice."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Summed(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.Parameter(torch.zeros(6))
        self.other = nn.Parameter(torch.ones(6))
        self.last = nn.Linear(6, 3)

    def forward(self, x):
        shift = self.own + self.other
        return self.last(torch.tanh(x * shift + shift))


class LimitedAdam(torch.optim.Optimizer):
    """Adam as it was first written with limits: the gradient has a name before it is limited."""

    def __init__(self, params, lr, max_norm):
        super().__init__(params, {"lr": lr, "max_norm": max_norm})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["first"], state["second"] = torch.zeros_like(p.data), torch.zeros_like(p.data)
                state["step"] += 1
                nn.utils.clip_grad_norm_(p, group["max_norm"] / state["step"])
                nn.utils.clip_grad_value_(p, 0.05, foreach=False)
                state["first"].mul_(0.9).add_(grad, alpha=0.1)
                state["second"].mul_(0.99).addcmul_(grad, grad, value=0.01)
                p.data.addcdiv_(state["first"], state["second"].sqrt().add_(1e-2), value=-group["lr"])


def networks():
    return Summed(), Summed()


def run(model, limited, arrays):
    losses = []
    plain, adam = (
        torch.optim.SGD(model.parameters(), lr=0.5),
        LimitedAdam([*limited.parameters(), limited.own], 0.1, 0.2),
    )
    for net, optimizer in ((model, plain), (limited, adam)):
        for x, y in zip(torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            for p in net.parameters():
                p.grad.mul_(0.5)
                p.grad.data.add_(p.data, alpha=0.01)
            optimizer.step()
            losses.append(loss.item())
    return losses
