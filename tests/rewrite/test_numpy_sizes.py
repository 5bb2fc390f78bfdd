"""Sizes that spaces of gym keep, or that NumPy computes, become numbers of Python where they are handed on, and nowhere
else."""

from __future__ import annotations

import pytest

from mindport.rewrite.numpy_numbers import with_python_numbers

HEADER = "import gym\nenv = gym.make('CartPole-v1')  # 环境 🚀\n"
CHANGED = [
    ("n = env.action_space.n", "n = int(env.action_space.n)"),
    ("args.n: int = env.action_space.n", "args.n: int = int(env.action_space.n)"),
    ("net = Net(4, env.action_space.n)", "net = Net(4, int(env.action_space.n))"),
    ("net = Net(out=self.env.action_space.n)", "net = Net(out=int(self.env.action_space.n))"),
    ("sizes = [env.observation_space.shape[0], 8, env.action_space.n]",
     "sizes = [env.observation_space.shape[0], 8, int(env.action_space.n)]"),
    ("n = action_space.n * atoms", "n = int(action_space.n) * atoms"),
    ("n = a.n if b else envs.single_action_space.n", "n = a.n if b else int(envs.single_action_space.n)"),
    ("f(np.zeros(env.observation_space.n), *[env.\n action_space.n])",
     "f(np.zeros(env.observation_space.n), *[int(env.\n action_space.n)])"),
    ("def count():\n    return env.action_space.n", "def count():\n    return int(env.action_space.n)"),
    ("self.nvec = env.action_space.nvec\nactor = nn.Dense(128, self.nvec.sum())",
     "self.nvec = env.action_space.nvec\nactor = nn.Dense(128, int(self.nvec.sum()))"),
    ("masks = ops.zeros((4,) + (envs.single_action_space.nvec.sum(),))",
     "masks = ops.zeros((4,) + (int(envs.single_action_space.nvec.sum()),))"),
    ("n = env.action_space.nvec[0] * env.action_space.nvec[-1]",
     "n = int(env.action_space.nvec[0]) * int(env.action_space.nvec[-1])"),
    ("nf = np.min([nf * 2, 1024])\nb = Block(nf, 3)", "nf = np.min([nf * 2, 1024]).item()\nb = Block(nf, 3)"),
    ("b = blocks.Block(3, out=2 * np.max((a, 8)))", "b = blocks.Block(3, out=2 * np.max((a, 8)).item())"),
    ("self.n = np.prod(x.shape[1:])\nb = nn.Dense(self.n, 4)",
     "self.n = np.prod(x.shape[1:]).item()\nb = nn.Dense(self.n, 4)"),
    ("n = numpy.prod(shape) if shape else 1\nb = Net(1 + n)",
     "n = numpy.prod(shape).item() if shape else 1\nb = Net(1 + n)"),
    ('pad = {"a": nn.ReflectionPad1d, "b": Pad}[kind]((np.prod(sizes) - 1) // 2)',
     'pad = {"a": nn.ReflectionPad1d, "b": Pad}[kind]((np.prod(sizes).item() - 1) // 2)'),
]  # fmt: skip
KEPT = [
    "n = int(env.action_space.n)",
    "q = np.zeros((env.observation_space.n, env.action_space.n))",
    "a = random.randrange(env.action_space.n)",
    "for a in range(env.action_space.n): pass",
    "print(env.action_space.n, f'{env.action_space.n}', '{}'.format(env.action_space.n))",
    "is_small = env.action_space.n < 3",
    "if env.action_space.n: pass",
    "env.action_space.n = 3",
    "n = env.action_space.shape[0]",
    "a = env.action_space.sample()",
    "n = tree.n",
    "parts = ops.split(logits, self.nvec.tolist(), axis=1)",
    "offsets = nvec.cumsum()",
    "nvec = env.action_space.nvec\nn = nvec.sum(0), nvec[1:], nvec[i], nvec",
    "loss = nvec.sum()  # normal vectors",
    "n, space = net(nvec[0]), env.action_space",
    "nvec[0] = 3",
    "n = vec.sum()",
    "n = env.action_space.n +",  # does not parse
    "b = Block(int(np.prod(shape)), int(np.min([n, 8])))",
    "b = Block(np.min([n, 8]).item())",
    "nf = np.min([nf, 8])\nx = y * nf",
    "nf = np.min([nf, 8])\nprint(nf, f(nf), np.array(nf))",
    "b = Block(np.min([0.5, n]), np.max(x), np.min([a, b]))",
    "b = Block(np.min([x, 8], axis=0), np.prod(x, 1), np.mean([n, 8]))",
    "b = Block(torch.min([x, 8]))",
    "b = Block(f'{np.prod(shape)}')",
    "b = {'a': nn.ReLU, 'b': made}[kind](np.prod(shape))",
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_size_is_pythons(before: str, after: str, newline: str) -> None:
    text, wanted = ((HEADER + code).replace("\n", newline) for code in (before, after))
    assert with_python_numbers(text) == wanted
    assert with_python_numbers(wanted) == wanted


@pytest.mark.parametrize("code", KEPT)
def test_the_rest_stays(code: str) -> None:
    assert with_python_numbers(HEADER + code) == HEADER + code
