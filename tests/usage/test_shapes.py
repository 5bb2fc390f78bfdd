"""Where shapes depend on data: what is found, and what stays silent because it is the same each time."""

import sys
import time

import pytest

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.file_report import check_file
from mindport.checking.reporter import Reporter
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.model.target import Device, Mode, Target, Version
from mindport.source.text import SourceText
from mindport.usage.places import Topic
from mindport.usage.project import Project

PATH = "/project/module.py"
HEAD = "import random\nimport numpy as np\nimport torch\nfrom torch import Tensor, nn\n"


def places_in(text):
    project = Project("/project")
    project.add(PATH, text)
    assert not project.problems(PATH)
    return project.usage(PATH).places


def topics(body, head="def f(x: Tensor, n: Tensor, mask: Tensor, xs: list[Tensor], k: int = 3):\n"):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return [place.topic.value for place in places_in(HEAD + head + lines)]


FOUND = [
    # The rows of the migration guide's table.
    ("return x[:n]", ["slice"]),
    ("return x.topk(int(n))", ["count"]),
    ("return x.gather(0, torch.nonzero(n))", ["index", "result"]),
    ("return torch.zeros(int(n.max()) + 1).index_add(0, n, x)", ["size", "segments"]),
    ("return torch.multinomial(x, int(n))", ["count"]),
    ("return torch.where(x > 0)", ["result"]),
    ("return x.mean(int(n))", ["axis"]),
    ("return x.transpose(0, n.item())", ["axis"]),
    ("return torch.unique(x)", ["result"]),
    ("return x.masked_select(mask)", ["result"]),
    ("return torch.nonzero(x)", ["result"]),
    # Masks, however they come about.
    ("return x[x > 0]", ["mask"]),
    ("return x[~(x > 0) & (x < 1)]", ["mask"]),
    ("m = x.gt(0)\nm = m.clone()\nreturn x[0, m]", ["mask"]),
    ("m = torch.zeros_like(x, dtype=torch.bool)\nreturn x[m]", ["mask"]),
    ("return x[torch.isfinite(x).any(dim=1)]", ["mask"]),
    ("m = torch.cat([t > 0 for t in xs])\nreturn x[m]", ["mask"]),
    # In branches of every kind.
    ("match k:\n    case 1:\n        return x[x > 0]\n    case _:\n        return x", ["mask"]),
    (
        "match k:\n    case [a, *rest] if (m := x > 0).any():\n        x = rest\n    case n:\n        m = x > 1\n"
        "return x[m]",
        ["mask"],
    ),
    ("match k:\n    case 1:\n        m = x > 0\n    case _:\n        m = x < 0\nreturn x[m]", ["mask"]),
    # Numbers read from tensors.
    ("a, b = n.tolist()\nreturn x[a:b]", ["slice"]),
    ("for a in n.tolist():\n    x = x[:a]\nreturn x", ["slice"]),
    ("return x.view(int(n), -1)", ["size"]),
    ("return torch.arange(min(int(n), 5))", ["size"]),
    ("h = n[0].item() if k else 4\nreturn torch.zeros(h, 2)", ["size"]),
    ("return x[: random.randint(1, 3)]", ["slice"]),
    ("return x[: np.random.randint(1, 3)]", ["slice"]),
    # What follows from a varying shape.
    ("i = torch.where(x > 0)[0]\nreturn torch.randperm(i.numel())", ["result", "count"]),
    ("y = x[x > 0]\nreturn torch.zeros(len(y))", ["mask", "size"]),
    ("y = x[x > 0] * 2\nreturn torch.zeros(y.shape[0], 2)", ["mask", "size"]),
    ("i = torch.nonzero(x)\nrows = i[:, 0]\nreturn x[rows]", ["result", "index"]),
    # Branches.
    ("if x.sum() > 0:\n    return x.sum(1)\nreturn x", ["branches"]),
    ("if n.item():\n    y = torch.zeros(3)\nelse:\n    y = torch.zeros(4)\nreturn y", ["branches"]),
    # Batches.
    ("m = max(len(t) for t in xs)\nreturn torch.zeros(len(xs), m)", ["batch"]),
    ("m = max(t.shape[0] for t in xs)\nreturn x.new_zeros(m)", ["batch"]),
    ("return torch.nn.utils.rnn.pad_sequence(xs)", ["batch"]),
    # What the way that the values took tells.
    ("n = None if k else int(n.max())\nreturn torch.zeros(n)", ["size"]),
    ("if k is None:\n    k = int(n.max())\nreturn x.view(k, -1)", ["size"]),
    ("v = x\nfor i in range(9):\n    w = x[v]\n    v = torch.where(n > i)[0]\nreturn w", ["index", "result"]),
    ("keep = []\nfor t in xs:\n    keep.append(t.nonzero())\nreturn [x[i] for i in keep]", ["result", "index"]),
    ("a = [n.item()] if k else n.tolist()\nreturn x.split(a)", ["count"]),
    ("a, b = (t[t > 0] for t in (x, n))\nreturn torch.zeros(b.shape[0])", ["mask", "size"]),
    ("def g(t):\n    return t.unique()\nreturn torch.zeros(len(g(x)))", ["result", "size"]),
    ("size = [k, k] + list(x[x > 0].shape)\nreturn n.view(size)", ["mask", "size"]),
    ("v = torch.topk(x, 3)\nreturn x[v.values > 0]", ["mask"]),
    ("h = 32 * torch.finfo(x.dtype).eps\nreturn x[x > h]", ["mask"]),
]  # fmt: skip


@pytest.mark.skipif(sys.version_info < (3, 11), reason="groups of exceptions came with Python 3.11")
def test_handlers_of_groups_are_followed():
    body = "try:\n    return x[x > 0]\nexcept* ValueError:\n    x = x.unique()"
    assert topics(body) == ["mask", "result"]


@pytest.mark.parametrize(("body", "expected"), FOUND)
def test_what_depends_on_data_is_found(body, expected):
    assert topics(body) == expected


SILENT = [
    "return x[:3], x[1:-1], x[..., None], x[:, ::2]",
    "return x[:k], x.topk(k), x.view(k, -1), torch.zeros(k)",
    "return x[: x.shape[0] // 2], x.view(x.size(0), -1), torch.zeros(x.shape)",
    "b, c = x.shape[:2]\nreturn x.reshape(b, c, -1)",
    "return [x[i : i + 2] for i in range(0, 8, 2)]",
    "for i in range(len(xs)):\n    x = x.sum(i)\nreturn x",
    "return torch.where(x > 0, x, 0)",
    "return x.masked_fill(x > 0, 0)",
    "x[x > 0] = 0\nreturn x",
    "return x[n], x.index_select(0, n), x.gather(1, n)",
    "return x[torch.argsort(x)], x[x.argmax()]",
    "return torch.full((2, 3), n.item()), x * n.item(), x.clamp(max=n.item())",
    "return x.sum(-1), x.mean((1, 2)), torch.max(x, n), x.permute(0, 2, 1)",
    "return (x > 0).sum(), (x > 0).any(dim=1), x.size(), x.numel()",
    "if x.shape[0] > 2:\n    return x[:2]\nreturn x",
    "if k > 2:\n    return x[:2]\nreturn x",
    "if x.sum() > 0:\n    x = x + 1\nelse:\n    x = torch.zeros_like(x)\nreturn x",
    "if random.random() < 0.5:\n    x = x[:2]\nreturn x",
    "a = np.ones(4)\nreturn a[a > 0], np.unique(a), np.nonzero(a)",
    "return torch.nn.functional.one_hot(n, 10), x.repeat_interleave(2, 0)",
    "return torch.stack(xs), torch.cat(xs), torch.zeros(len(xs), max(3, k))",
    "return x[random.choice([0, 1])]",
]  # fmt: skip


@pytest.mark.parametrize("body", SILENT)
def test_what_is_the_same_each_time_is_silent(body):
    assert topics(body) == []


def test_loops_in_loops_cost_no_more_than_they_say():
    """Values that never settle, in nested loops and calls, are given up, and what stands beside them is found."""
    lines = [f"{'    ' * depth}for i{depth} in xs:" for depth in range(12)]
    inside = "    " * 12 + "x, n, mask = n + x[1:], mask, torch.cat([x, n])"
    body = "\n".join([*lines, inside, "return x.unique()"])
    begun = time.process_time()
    assert topics(body) in (["result"], [])
    assert topics("y = x.unique()\n" + body)[:1] == ["result"]
    assert time.process_time() - begun < 20


def test_a_setting_of_the_module_is_constant():
    text = (
        "class A(nn.Module):\n    def __init__(self, k=4, sizes=(2, 3)):\n        super().__init__()\n"
        "        self.k = k\n        self.sizes = sizes\n    def forward(self, x):\n"
        "        y = x[:, : self.k].view(-1, self.k)\n        return y.topk(self.k), torch.split(y, self.sizes)\n"
    )
    assert places_in(HEAD + text) == ()


def test_untyped_functions_with_numpy_want_more_than_evidence():
    array = "def f(x):\n    m = x > 0.5\n    np.sum(m)\n    return x[m]\n"
    assert places_in(HEAD + array) == ()
    assert [place.topic for place in places_in(HEAD + array.replace("(x)", "(x: Tensor)"))] == [Topic.MASK]


GUIDE = """import numpy as np
import mindspore as ms
from mindspore import ops
np.random.seed(1)
x = ms.Tensor(np.random.uniform(0, 1, (10)).astype(np.float32))
k = ms.Tensor(np.random.randint(1, 10), ms.int64)
print(x[:k].shape)
cond = (x > 0.5).any()
if cond:
    y = ops.masked_select(x, x > 0.5)
else:
    y = ops.zeros_like(x)
"""


def test_the_examples_of_the_migration_guide():
    assert [(place.topic.value, place.span.line) for place in places_in(GUIDE)] == [
        ("slice", 7),
        ("branches", 9),
        ("result", 10),
    ]


@pytest.mark.parametrize(
    "edits",
    [
        [("0.5\n", "0.6\n")],
        [("x > 0.5", "x > 0.7")],
        [("def g", "# 张\n\ndef g")],
        [("k = ms.Tensor(np.random.randint(1, 10), ms.int64)", "k = 3")],
        [("from mindspore import ops", "from other import ops"), ("from other", "from mindspore")],
        [("return t[t > 0]", "return t[t >"), ("return t[t >", "return t[t > 1]")],
    ],
)
def test_an_edited_file_equals_a_fresh_one(edits):
    text = GUIDE + "def g(t):\n    t = ops.relu(t)\n    return t[t > 0]\nz = x[:k]\n"
    project = Project("/project")
    project.add(PATH, text)
    engine = Engine(Target(Version(2, 10), Device.CPU, Mode.GRAPH), load_index())
    rules = RuleFilter(Settings(), "/project")
    live = Reporter(engine, rules, PATH)
    live.report(analyse(PATH, SourceText(PATH, text), project, engine.target), text)
    for before, after in edits:
        text = text.replace(before, after)
        project.add(PATH, text)
        file = analyse(PATH, SourceText(PATH, text), project, engine.target)
        usage = file.usage
        found = live.report(file, text).findings
        batch = check_file(file, text, engine, rules).findings
        assert [(one.rule, one.span) for one in found] == [(one.rule, one.span) for one in batch]
    assert project.problems(PATH) or usage.places == places_in(text)
