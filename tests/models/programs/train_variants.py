"""Other shapes of training steps: gradients added up over batches, limited gradients, half precision, two optimizers
for one loss, counters in the middle of a step, a trainer class, and a critic trained in a loop of its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 8, bias=False)
        self.norm = nn.BatchNorm1d(8)

    def forward(self, x):
        return torch.tanh(self.norm(self.layer(x)))


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(x)


def networks():
    return Body(), Head(), Body(), Head(), Body(), Head()


def accumulate(model, batches, steps=2):
    """Two batches for each step; one is left over."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        loss = F.cross_entropy(model(x)[:, :3], y) / steps
        loss.backward()
        if (i + 1) % steps == 0:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.2)
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def two_optimizers(body, head, batches):
    """One loss, two optimizers with rates of their own; a running sum is kept before backward()."""
    body_optimizer = torch.optim.Adam(body.parameters(), lr=0.01)
    head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.ExponentialLR(head_optimizer, gamma=0.5)
    running = 0.0
    count = 0
    for x, y in batches:
        body_optimizer.zero_grad()
        head_optimizer.zero_grad()
        logits = head(body(x))
        loss = F.cross_entropy(logits, y)
        running += loss.item()
        count += 1
        loss.backward()
        body_optimizer.step()
        head_optimizer.step()
        schedule.step()
    return [running / count, count, logits.mean().item()]


def half_precision(model, batches):
    """Mixed precision, which a CPU computes in full precision."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    scaler = GradScaler()
    losses = []
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        with autocast():
            logits = model(x)[:, :3]
            # the mean over the batch
            loss = F.cross_entropy(logits, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_value_(model.parameters(), 0.05)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


class Trainer:
    """A head is trained on what a body gives; every second step only counts."""

    def __init__(self, body, head):
        self.body = body
        self.head = head
        self.optimizer = torch.optim.RMSprop(self.head.parameters(), lr=0.01)
        self.criterion = nn.CrossEntropyLoss()
        self.seen = 0

    def train(self, batches):
        losses = []
        for x, y in batches:
            with torch.no_grad():
                features = self.body(x)
            total = 0
            for shift in range(2):
                total = total + self.criterion(self.head(features + shift), y)
            self.seen += len(y)
            self.optimizer.zero_grad()
            total.backward()
            norm = nn.utils.clip_grad_norm_(self.head.parameters(), 0.5)
            self.optimizer.step()
            losses += [total.item(), norm.item()]
        return losses + [self.seen]


def critic_first(critic, head, batches):
    """The second network takes two steps for each of the first one."""
    critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    losses = []
    for x, y in batches:
        for _ in range(2):
            critic_loss = (critic(x) ** 2).mean()
            critic_optimizer.zero_grad()
            critic_loss.backward()
            critic_optimizer.step()
        optimizer.zero_grad()
        features = critic(x).detach()
        (F.cross_entropy(head(features), y) + 0.1 * critic_loss.item()).backward()
        optimizer.step()
        losses.append(critic_loss.item())
    return losses


def run(body, head, other, other_head, critic, critic_head, arrays):
    batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in zip(arrays["inputs"], arrays["labels"])]
    losses = accumulate(body, batches)
    losses += two_optimizers(body, head, batches)
    losses += half_precision(other, batches)
    losses += Trainer(other, other_head).train(batches)
    losses += critic_first(critic, critic_head, batches)
    for network in (body, other, critic):  # running statistics count every pass once
        network.eval()
        losses.append(network(batches[0][0]).mean().item())
    return losses
