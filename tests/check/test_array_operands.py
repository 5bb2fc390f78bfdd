"""Operators between tensors and what NumPy gives."""

import pytest
from converting import converted

HEADER = """import gym
import numpy as np
import torch

x = torch.rand(5, 3)
env = gym.make('CartPole-v1')
array = np.ones((5, 3), dtype=np.float32)
"""
SAMPLER = """class Sampler:
    def __init__(self, labels):
        self.classes, counts = np.unique(labels, return_counts=True)
"""
MADE = "\n\n\nSampler(np.arange(3))"
WRITTEN = {
    "an array on the right": ("y = x * array", "y = x * mindspore.tensor(array)"),
    "an array on the left": ("y = array / x", "y = mindspore.tensor(array) / x"),
    "an array of a tensor": ("y = x - (x + 1).numpy()", "y = x - mindspore.tensor((x + 1).asnumpy())"),
    "a part of an array": ("y = x[1:] ** array[1:]", "y = x[1:] ** mindspore.tensor(array[1:])"),
    "what is computed of arrays": (
        "y = x % (array * 2 + 1)  # 😀 加",
        "y = x % mindspore.tensor(array * 2 + 1)  # 😀 加",
    ),
    "parentheses over lines": ("y = x @ (\n    array.T\n)", "y = x @ mindspore.tensor(array.T)"),
    "a tensor that is changed": ("x += array", "x += mindspore.tensor(array)"),
    "a comparison": ("y = x == array", "y = x == mindspore.tensor(array)"),
    "a number or an array": ("y = array[0] * x", "y = torch_operand(array[0]) * x"),
    "a number or an array on the right": ("y = x + np.mean(array)", "y = x + torch_operand(np.mean(array))"),
    "one operand in another": (
        "y = x + array * (x - array[0, 0])",
        "y = x + mindspore.tensor(array) * (x - torch_operand(array[0, 0]))",
    ),
    "what differs from a number": ("y = x != array[0, 0]", "y = x != torch_operand(array[0, 0])"),
    "each of a set": (
        "for c in set(np.unique(array)):\n    y = x == c",
        "    y = x == torch_operand(c)",
    ),
    "each of a set that a function gets": (
        "def f(x, labels):\n    return [(x == c).sum() for c in sorted(set(labels))]\n\n\ny = f(x, np.arange(3))",
        "    return [(x == torch_operand(c)).sum() for c in sorted(set(labels))]",
    ),
    "what a counter counted": (
        "import collections\ncounts = collections.Counter(array[0])\nfor c in counts:\n    y = x != c",
        "    y = x != torch_operand(c)",
    ),
    "one that is drawn": (
        "import random\ny = x == random.choice(array)",
        "y = x == torch_operand(random.choice(array))",
    ),
    "beside an attribute that became a tensor": (
        f"{SAMPLER}        self.classes = torch.LongTensor(self.classes)\n"
        f"        print(self.classes == labels[0]){MADE}",
        "        print(self.classes == torch_operand(labels[0]))",
    ),
    "beside the memory of what is known by its members": (
        "def f(net, it):\n    m = np.linspace(0, 1, 4)[it]\n    for p in net.parameters():\n"
        "        q = (1 - m) * p.detach().data\n    return q",
        "        q = torch_operand(1 - m) * ops.stop_gradient(p).data",
    ),
    "a number or one of Python": (
        "a = 1 if len(x) else np.argmax(array)\ny = a * x",
        "y = torch_operand(a) * x",
    ),
}
KEPT = {
    "a number of Python": "a = 2\ny = a * x + 0.5 * x",
    "a tensor": "y = x * x.sum()",
    "arrays alone": "y = array * array + 1",
    "an unknown operand": "def f(v):\n    return v * array",
    "an unknown operand beside a tensor": "def f(v):\n    return v * x + x * v",
    "what torch makes a truth value of": "y = x != array",
    "several comparisons": "y = array < x < 3",
    "beside an attribute that may have become a tensor": f"{SAMPLER}        if len(labels) > 3:\n"
    f"            self.classes = torch.LongTensor(self.classes)\n        print(self.classes == labels[0]){MADE}",
    "beside an attribute that was an array": f"{SAMPLER}        print(self.classes == labels[0])\n"
    f"        self.classes = torch.LongTensor(self.classes){MADE}",
    "beside an attribute that another method makes a tensor of": """class Scaler:
    def __init__(self, mean):
        self.mean = mean

    def transform(self, data):
        return data - self.mean

    def inverse_transform(self, data):
        if type(self.mean) == np.ndarray:
            self.mean = torch.from_numpy(self.mean)
        return data + self.mean


data = np.load("a.npz")["data"]
data = np.expand_dims(data, 1)
print(Scaler(read("mean")).transform(data))""",
    "each of a set of Python's numbers": "for c in set([1, 2]):\n    y = x != c",
    "each of a set that nobody knows": "def f(x, labels):\n    return [x == c for c in set(labels)]",
    "each of a set of tensors": "for c in {x, x + 1}:\n    y = x == c",
    "a set that may be another": "def f(a):\n    for c in set(a) if a else set(array[0]):\n        yield x == c",
    "a tensor of the array already": "y = x * torch.Tensor.sum(x)",
}
REWARDS = {
    "a reward on the left": ("y = reward + 0.9 * x", "y = float(reward) + 0.9 * x"),
    "what is computed of rewards": (
        "total = 0\nfor i in range(3):\n    total = total + 0.9 * reward\ny = (total - 1) / x",
        "y = float(total - 1) / x",
    ),
}


@pytest.mark.parametrize(("code", "expected"), WRITTEN.values(), ids=list(WRITTEN))
def test_the_operand_is_one_that_operators_take(code, expected):
    once = converted(f"{HEADER}{code}\n")
    assert f"{expected}\n" in once, once
    assert converted(once) == once


@pytest.mark.parametrize("code", KEPT.values(), ids=list(KEPT))
def test_what_stays(code):
    once = converted(f"{HEADER}{code}\n")
    assert "mindspore.tensor(" not in once
    assert "torch_operand(" not in once


STEP = "state, reward, done, info = env.step(0)\n"


@pytest.mark.parametrize(("code", "expected"), REWARDS.values(), ids=list(REWARDS))
def test_rewards_before_an_operator(code, expected):
    once = converted(f"{HEADER}{STEP}{code}\n", unsafe=True)
    assert f"{expected}\n" in once, once
    assert converted(once, unsafe=True) == once


@pytest.mark.parametrize("code", ["y = x + reward", "y = 1 - done * x", "y = 0.9 * reward"])
def test_what_needs_nothing_of_a_step(code):
    assert "float(" not in converted(f"{HEADER}{STEP}{code}\n", unsafe=True)


def test_rewards_of_several_environments_may_be_arrays():
    text = HEADER.replace("gym.make('CartPole-v1')", "gym.vector.make('CartPole-v1', 3)")
    assert "float(" not in converted(f"{text}{STEP}y = reward + x\n", unsafe=True)


ITEMS = {
    "a number of NumPy's": ("x[0] = np.argmax(array)", "x[0] = mindspore.tensor(np.argmax(array))"),
    "what a space of gym gives": (
        "x[0] = env.action_space.sample()",
        "x[0] = mindspore.tensor(env.action_space.sample())",
    ),
    "a number of either": (
        "a = 1 if len(x) else np.argmax(array)\nx[0, 1] = a  # 😀 加",
        "x[0, 1] = mindspore.tensor(a)  # 😀 加",
    ),
}


@pytest.mark.parametrize(("code", "expected"), ITEMS.values(), ids=list(ITEMS))
def test_an_item_takes_a_tensor_of_a_number(code, expected):
    once = converted(f"{HEADER}{code}\n")
    assert f"{expected}\n" in once, once
    assert converted(once) == once


@pytest.mark.parametrize(
    "code",
    ["x[0] = 3", "x[0] = x[1]", "x[0] = len(x)", "array[0] = np.argmax(array)", "def f(v):\n    x[0] = v"],
)
def test_items_that_stay(code):
    assert "mindspore.tensor(" not in converted(f"{HEADER}{code}\n")
