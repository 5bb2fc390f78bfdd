"""Agents that load a checkpoint between two updates, one call behind the other and in no loop: what lists weights by
their names loads them by a function that is put into the file, the others as they stand."""

import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


class Agent:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def update(self, x, y):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def save(self, path):
        torch.save({"model": self.model.state_dict()}, path)

    def load(self, path):
        self.model.load_state_dict(torch.load(path)["model"])


def networks():
    return nn.Sequential(nn.Linear(6, 5), nn.LayerNorm(5), nn.Tanh(), nn.Linear(5, 3)), nn.Linear(6, 3)


def trained(model, batches):
    agent = Agent(model, 0.05)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "agent.pt")
        losses = [agent.update(*batches[0]), agent.update(*batches[1])]
        agent.save(path)
        losses.append(agent.update(*batches[2]))
        agent.load(path)
        losses += [agent.update(*batches[3]), agent.update(*batches[4])]
    return losses


def run(first, second, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    losses = trained(first, batches)
    optimizer = torch.optim.SGD(second.parameters(), lr=0.5)

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(second(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    losses.append(step(*batches[0]))
    kept = {name: value.clone() for name, value in second.state_dict().items()}
    losses.append(step(*batches[1]))
    second.load_state_dict(kept)
    losses.append(step(*batches[2]))
    losses.append(step(*batches[3]))
    return losses


if __name__ == "__main__":
    import numpy as np

    made = np.random.RandomState(0)
    arrays = {"inputs": made.rand(5, 6, 6).astype("float32"), "labels": made.randint(0, 3, (5, 6))}
    print(run(*networks(), arrays))
