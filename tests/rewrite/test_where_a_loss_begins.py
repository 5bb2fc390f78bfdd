"""How far up the statements of a loss begin: what it is made of by memory, lists, objects and packed sequences belongs
to its function, where the gradient goes through it; data and numbers do not."""

import textwrap

import pytest
from loop_texts import rewritten_loops

from mindport.model.target import Device, Target, Version
from mindport.rewrite.training.rewrites import training_rewrites

CPU = Target(Version(2, 10, 0), Device.CPU)
TEXT = """import torch
from collections import deque
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

encoder, decoder, lstm = nn.Linear(3, 4), nn.Linear(4, 2), nn.LSTM(4, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
criterion = nn.MSELoss()
cache = {{}}


class Memory(nn.Module):
    def set_memory(self, memory):  # 记忆 🙂
        self.memory = memory

    def hand_on(self, memory):
        self.set_memory(memory)

    def encode(self, x):
        self.mean = encoder(x)
        self.spread = self.wide(x)
        return self.spread

    def count(self, x):
        self.seen = x.shape[0]

    def norm(self, x):
        found = {{}}
        found["x"] = x
        return found["x"]


def fill(cache, value):
    cache["h"] = value


memory = Memory()
for x, y, lengths in batches:
    h = encoder(x)
{body}
    loss = criterion(decoder(out), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def forward_of(body: str) -> str:
    """The function that is differentiated, of a loop with these statements."""
    text = TEXT.format(body=textwrap.indent(body, "    "))
    found, _, reasons = rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU))
    assert not reasons
    return found.partition("    def forward(")[2].partition("    grad_fn = ")[0]


@pytest.mark.parametrize(
    "body",
    [
        "out = pack_padded_sequence(h, lengths).data",
        "packed = pack_padded_sequence(h, lengths)\nout = packed.data",
        "packed, _, _, _ = pack_padded_sequence(h, lengths)\nout = packed",
        "o, _ = lstm(pack_padded_sequence(h, lengths))\nq, _ = pad_packed_sequence(o)\nout = q * 2",
        "out = nn.utils.rnn.pad_sequence([h, h])",
        "parts = []\nparts.append(h)\nout = torch.stack(parts)",
        "parts = []\nfor k in range(3):\n    parts.append(h * k)\nout = torch.stack(parts)",
        "parts = deque()\nparts.appendleft(h)\nout = sum(parts)",
        "parts = {}\nparts['a'] = h\ntotal = parts['a'] * 2\nout = total + x",
        "parts = {}\nparts.update(a=h)\nout = parts['a'] * 3",
        "total = torch.zeros(5, 4)\ntotal[1:] = h[1:]\nout = total * 2",
        "total = torch.zeros(5, 4)\ntotal.add_(h)\nout = total * 2",
        "total = torch.zeros(5, 4)\ntotal[:2].copy_(h)\nout = total * 2",
        "memory.memory = h\nout = memory(x)",
        "setattr(memory, 'memory', h)\nout = memory(x)",
        "memory.set_memory(h)\nout = memory(x)",
        "memory.set_memory(memory=h)\nout = memory(x)",
        "memory.hand_on(h)\nout = memory(x)",
        "fill(cache, h)\nout = cache['h']",
        "if lengths:\n    memory.set_memory(h)\nout = memory(x)",
        "memory.encode(h)\nout = memory.spread",
        "spread = memory.encode(h)\nout = memory.mean",
        "for k, m in enumerate(memory.modules()):\n    m.set_memory(h * k)\nout = memory(x)",
        "cell = memory.cell\ncell.memory = h\nout = memory(x)",
        "store = memory.cells[0].store\nstore['h'] = h\nout = memory(x)",
    ],
)
def test_what_the_gradient_goes_through_is_inside(body):
    assert "h = encoder(x)" in forward_of(body)


@pytest.mark.parametrize(
    "body",
    [
        "out = h.data",
        "for p in decoder.parameters():\n    p.requires_grad = True\nout = h.detach() * 2",
        "out = h.detach() * 2",
        "parts = [h.detach()]\nout = torch.stack(parts)",
        "parts = []\nparts.append(h.item())\nout = x * sum(parts)",
        "parts = []\nparts.append(h)\nout = x",
        "packed = pack_padded_sequence(x, lengths).data\nout = packed * 2",
        "total = torch.zeros(5, 4)\ntotal.add_(x)\nout = total * 2",
        "memory.set_memory(x)\nout = memory(x)",
        "memory.set_memory(h.detach())\nout = memory(x)",
        "memory.count(h)\nout = memory(x)",
        "memory.norm(h)\nout = memory(x)",
        "memory.train()\nout = memory(x)",
        "print(h)\nout = memory(x)",
        "memory.memory = h\nout = x",
        "fill(cache, h)\nout = x",
        "other.update(h)\nout = memory(x)",
        "for block in other.blocks:\n    block.memory = h\nout = memory(x)",
        "for block in memory.blocks:\n    block.count = 1\nout = memory(x)",
        "cell = other.cell\ncell.memory = h\nout = memory(x)",
        "cell = memory.cell\ncell = Memory()\ncell.memory = h\nout = memory(x)",
    ],
)
def test_what_it_does_not_go_through_stays_outside(body):
    assert "h = encoder(x)" not in forward_of(body)


TWO = """import torch

class Trainer:
    def step(self):
        x = torch.ones(3)
        {first} = self.net(x).mean()
        self.optimizer.zero_grad()
        {first}.backward()
        self.optimizer.step()
        {between}
        loss = self.critic(x).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def note(self, loss):
        self.losses.append(loss)
"""


@pytest.mark.parametrize(
    ("first", "between"),
    [
        ("first", "self.losses.append(first)"),  # another part of the same object
        ("first", "self.count += 1"),
        ("first", "self.old = first"),
        ("first", "self.note(first)"),  # its gradient was taken: it is a number
    ],
)
def test_what_is_kept_of_the_step_before_pulls_it_into_no_function(first, between):
    text = TWO.format(first=first, between=between)
    found, _, reasons = rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU))
    assert not reasons
    functions = [part.partition("grad_fn")[0] for part in found.split("def forward")[1:]]
    assert len(functions) == 2
    assert "self.net" in functions[0]
    assert "self.net" not in functions[1]


KEPT = """import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.kept, self.rewards = nn.Linear(3, 1), [], []

    def forward(self, x):
        y = self.layer(x)  # 动作 🙂
        self.kept.append({kept})
        return y.item()

    def loss(self):
        return sum(a * r for a, r in zip(self.kept, self.rewards))


agent = Agent()
optimizer = torch.optim.SGD(agent.parameters(), lr=0.1)
for x in games:
    play(agent, 3)
    optimizer.zero_grad()
    loss = {loss}
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("loss", ["agent.loss()", "0.5 * agent.loss()", "agent(x) + agent.loss()"])
def test_a_loss_of_what_was_kept_before_is_no_function_of_its_own(loss):
    text = KEPT.format(kept="y", loss=loss)
    _, _, reasons = rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU))
    assert ["`loss` of what earlier calls have kept" in reason for reason in map(str, reasons)] == [True]


@pytest.mark.parametrize(
    ("kept", "loss"), [("y.detach()", "agent.loss()"), ("x", "agent.loss()"), ("y", "agent.layer(x).mean()")]
)
def test_a_loss_of_something_else_is(kept, loss):
    text = KEPT.format(kept=kept, loss=loss)
    found, _, reasons = rewritten_loops(text, lambda text, usage: training_rewrites(text, usage, CPU))
    assert not reasons
    assert "grad_fn" in found
