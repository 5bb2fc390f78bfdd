"""Which functions of a project put together what others of it computed and kept in a list."""

import pytest

from mindport.usage.project import Project

STEP = (
    "import torch\n\ndef train(net, optimizer):\n    net.loss().backward()  # 中文 😀\n    optimizer.step()\n"
)
FILL = "        self.kept.append(self.layer(x))\n"
LOSS = "        return sum(self.kept)\n"


def readers(*texts: str) -> frozenset[str]:
    project = Project("")
    project.add("train.py", STEP)
    for number, text in enumerate(texts):
        project.add(f"other_{number}.py", text)
    return project.usage("train.py").beside_steps.kept_readers


def agent(fill: str, loss: str) -> str:
    return (
        f"class Agent:\n    def forward(self, x, *rest):\n{fill}\n    def loss(self, rewards=()):\n{loss}\n"
    )


@pytest.mark.parametrize(
    ("fill", "loss"),
    [
        (FILL, LOSS),
        (FILL, "        return torch.stack(self.kept).sum()\n"),
        (FILL, "        return torch.cat(self.kept[1:]).sum()\n"),
        (FILL, "        return sum(a * b for a, b in zip(rewards, reversed(self.kept)))\n"),
        (FILL, "        for one in self.kept:\n            total += one\n        return total\n"),
        (FILL, "        for n, one in enumerate(self.memory.kept):\n            total += one\n"),
        (FILL, "        total = sum(self.kept)\n        self.kept = []\n        return total\n"),
        ("        y = self.layer(x)\n        self.kept.append(D(y).log_prob(1))\n", LOSS),
        ("        y, z = self.layer(x)\n        self.memory.kept.insert(0, (z, 1))\n", LOSS),
        ("        for y in self.layer(x):\n            self.kept += [y]\n", LOSS),
    ],
)
def test_who_goes_through_what_was_kept(fill, loss):
    assert readers(agent(fill, loss)) == {"loss"}


@pytest.mark.parametrize(
    ("fill", "loss"),
    [
        ("        self.kept.append(x)\n", LOSS),  # a memory of transitions
        ("        self.kept.append(self.layer(x).item())\n", LOSS),
        ("        self.kept.append(self.layer(x).detach())\n", LOSS),
        ("        self.kept.append(self.layer(x).shape[0])\n", LOSS),
        ("        kept = []\n        kept.append(self.layer(x))\n", LOSS),
        ("        self.other.append(self.layer(x))\n", LOSS),
        (FILL, "        return len(self.kept)\n"),
        (FILL, "        return self.kept[-1]\n"),
        (FILL, "        del self.kept[:]\n"),
        (FILL, "        self.kept = [f(r) for r in rewards]\n        return sum(self.kept)\n"),
        (FILL, FILL.replace("x", "rewards") + LOSS),
        ("", LOSS),
    ],
)
def test_who_does_not(fill, loss):
    assert readers(agent(fill or "        pass\n", loss)) == set()


def test_who_calls_one_of_its_own_object_is_one():
    calls = "    def total(self):\n        return 2 * self.loss()\n\n"
    calls += "    def other(self):\n        return self.forward(1)\n"
    assert readers(agent(FILL, LOSS) + calls) == {"loss", "total"}


def test_filled_and_read_in_two_files():
    first = "class Net:\n    def forward(self, x):\n" + FILL
    second = "class Trainer:\n    def loss(self):\n        return sum(self.net.kept)\n"
    assert readers(first, second) == {"loss"}
    assert readers(first) == readers(second) == set()


def test_edits():
    project = Project("")
    project.add("train.py", STEP)
    project.add("agent.py", agent("        pass\n", LOSS))
    assert project.usage("train.py").beside_steps.kept_readers == set()
    project.add("agent.py", agent(FILL, LOSS))
    assert project.usage("train.py").beside_steps.kept_readers == {"loss"}
    project.add("agent.py", agent(FILL, LOSS.replace("self.kept", "rewards")))
    assert project.usage("train.py").beside_steps.kept_readers == set()
