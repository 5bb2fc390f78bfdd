"""Networks without an optimizer, whose gradients the program reads: workers hand theirs to a shared network, and what
another network's loss goes through has gradients, too."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 5)
        self.last = nn.Linear(5, 3)

    def forward(self, x):
        return self.last(torch.tanh(self.hidden(x)))


def hand_over(model, shared):
    for own, other in zip(model.parameters(), shared.parameters()):
        if other.grad is not None:
            return
        other._grad = own.grad


def networks():
    return Net(), Net()


def asynchronous(shared, inputs, labels):
    optimizer = torch.optim.Adam(shared.parameters(), lr=0.01)
    losses = []
    for x, y in zip(inputs, labels):
        local = Net()
        local.load_state_dict(shared.state_dict())
        loss = F.cross_entropy(local(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(local.parameters(), 0.5)
        hand_over(local, shared)
        optimizer.step()
        losses.append(loss.item())
    return losses


def averaged(shared, workers, inputs, labels):
    optimizer = torch.optim.SGD(shared.parameters(), lr=0.2)
    losses = []
    for x, y in zip(inputs, labels):
        for place, worker in enumerate(workers):
            worker.load_state_dict(shared.state_dict())
            worker.zero_grad()
            loss = F.cross_entropy(worker(x + place), y)
            loss.backward()
            losses.append(loss.item())
        for parameter, *others in zip(shared.parameters(), *(worker.parameters() for worker in workers)):
            parameter.grad = sum(one.grad for one in others) / len(others)
        optimizer.step()
    return losses


def passed_through(net, critic, inputs, labels):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for x, y in zip(inputs, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y) + critic(x).pow(2).mean()
        loss.backward(retain_graph=len(losses) == 0)
        optimizer.step()
        losses.append(loss.item() + sum(p.grad.abs().sum().item() for p in critic.parameters()))
    return losses


def run(first, second, arrays):
    inputs, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    losses = asynchronous(first, inputs, labels)
    losses += averaged(first, [Net(), Net()], inputs, labels)
    return losses + passed_through(first, second, inputs, labels)
