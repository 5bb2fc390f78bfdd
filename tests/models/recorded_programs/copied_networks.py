"""Networks to which others give an optimizer: it is no part of what makes them up, a copy of a network has a copy of
the optimizer, with which it goes on by itself, one that is saved as a whole has its own when it is loaded, and the
groups of parameters serve again for the next one."""

import copy
import io

import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 3)
        self.optimizer = None

    def forward(self, x):
        return self.layer(x)

    def learn(self, x, y, teacher):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self(x), y)
        if teacher is not None:
            loss = loss + F.mse_loss(self(x), torch.detach(teacher(x)))
        loss.backward()
        steepest = max(p.grad.abs().max().item() for p in self.parameters())
        self.optimizer.step()
        return loss.item() + steepest


def prepare(learner, kind):
    learner.groups = groups = [{"params": filter(lambda p: p.requires_grad, learner.parameters()), "lr": 0.1}]
    if kind == "adam":
        learner.optimizer = torch.optim.Adam(groups, betas=(0.9, 0.99))
    else:
        learner.optimizer = torch.optim.SGD(groups, momentum=0.9)


def saved(learner):
    file = io.BytesIO()
    torch.save({"learner": learner, "optimizer": learner.optimizer}, file)
    file.seek(0)
    again = torch.load(file, weights_only=False)
    assert again["optimizer"] is again["learner"].optimizer
    return again["learner"]


def networks():
    return Learner(), Learner()


def run(first, second, arrays):
    inputs, labels = torch.from_numpy(arrays["inputs"]), torch.from_numpy(arrays["labels"])
    losses = []
    for learner, kind in ((first, "adam"), (second, "sgd")):
        prepare(learner, kind)
        teacher = None
        for x, y in zip(inputs, labels):
            losses.append(learner.learn(x, y, teacher))
            teacher = copy.deepcopy(learner).eval()
        teacher.train()
        losses.append(saved(learner).learn(inputs[0], labels[0], None))
        losses += [teacher.learn(inputs[0], labels[0], None), learner.learn(inputs[0], labels[0], None)]
        learner.optimizer = torch.optim.Adam(learner.groups, betas=(0.9, 0.99))
        losses.append(learner.learn(inputs[0], labels[0], teacher))
        losses.append(float(len(list(learner.parameters()))))
    return losses
