"""Buffers that get another tensor are registered again: a Cell takes none by assignment."""

from textwrap import indent

import pytest

from mindport.rewrite.assigned_buffers import with_registered_buffers

BEFORE = "import torch\n"
NET = """class Net(nn.Cell):
    def __init__(self):
        self.register_buffer('queue', ops.ones((2,)))  # 中文 😀
        self.register_buffer("seen", None, persistent=False)
        self.other = 1

    def construct(self, x):
        {statement}
        return x
"""


def converted(text: str) -> str:
    return with_registered_buffers(BEFORE, text)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "self.queue = f(self.queue, '😀')  # 中文",
            "self.register_buffer(\"queue\", f(self.queue, '😀'))  # 中文",
        ),
        ("self.seen = x", 'self.register_buffer("seen", x, persistent=False)'),
        ("self.queue += 1", 'self.register_buffer("queue", self.queue + 1)'),
        ("self.queue *= x - 1; y = 2", 'self.register_buffer("queue", self.queue * (x - 1)); y = 2'),
        (
            "self.queue=(\n            x + 1\n        )",
            'self.register_buffer("queue", (\n            x + 1\n        ))',
        ),
        (
            "self.queue, self.seen = x, f(x)  # 😀",
            'self.register_buffer("queue", x)\n        self.register_buffer("seen", f(x), persistent=False)  # 😀',
        ),
        ("self.queue, y = x, 2", 'self.register_buffer("queue", x)\n        y = 2'),
        (
            "self.other, self.queue = f(x)",
            'self.other, queue = f(x)\n        self.register_buffer("queue", queue)',
        ),
        (
            "seen = 1; self.queue, self.seen = f(x)",
            'seen = 1; queue, seen_ = f(x); self.register_buffer("queue", queue); '
            'self.register_buffer("seen", seen_, persistent=False)',
        ),
        (
            "self.queue, self.seen = self.seen, self.queue",
            "queue, seen = self.seen, self.queue\n"
            '        self.register_buffer("queue", queue)\n'
            '        self.register_buffer("seen", seen, persistent=False)',
        ),
        ("if x: self.queue = None", 'if x: self.register_buffer("queue", None)'),
    ],
)
def test_registered_again(statement: str, expected: str) -> None:
    found = converted(NET.format(statement=statement))
    assert found == NET.format(statement=expected)
    assert converted(found) == found


@pytest.mark.parametrize(
    "statement",
    [
        "self.other = x",
        "self.queue[:] = x",
        "queue = x",
        "x.queue = x",
        "self.queue: int = 1",
        "self.queue, *y = x",
        "self.other, y = x",
        "self.queue.data = x",
    ],
)
def test_what_stays(statement: str) -> None:
    text = NET.format(statement=statement)
    assert converted(text) == text


def test_derived_classes_and_others() -> None:
    text = (
        NET.format(statement="pass") + "\n\nclass {name}({base}):\n    def f(self):\n        self.queue = 1\n"
    )
    assert 'self.register_buffer("queue", 1)' in converted(text.format(name="A", base="Net"))
    same = text.format(name="A", base="nn.Cell")
    assert converted(same) == same
    assert with_registered_buffers("import mindspore\n", text.format(name="A", base="Net")).endswith(
        "queue = 1\n"
    )
    assert converted(f"{same}(") == f"{same}("


ASKED = (
    NET.format(statement="pass")
    + """

def scale(parts, m, n):
    {test}
        m.queue /= m.stride - 1
        n.queue /= 2
    else:
        m.queue /= 3
"""
)


@pytest.mark.parametrize(
    "test",
    [
        "if isinstance(m, Net):",
        "if isinstance(m, (Other, Net)):",
        "if type(m) in (Net, Other):",
        "if type(m) is Net:",
    ],
)
def test_what_is_asked_for_its_class(test: str) -> None:
    text = ASKED.replace("{test}", test)
    expected = text.replace("m.queue /= m.stride - 1", 'm.register_buffer("queue", m.queue / (m.stride - 1))')
    assert converted(text) == expected


@pytest.mark.parametrize(
    "test", ["if isinstance(m, Other):", "if m is Net:", "if isinstance(n[0], Net):", "if m:"]
)
def test_what_is_asked_for_another(test: str) -> None:
    text = ASKED.replace("{test}", test)
    assert converted(text) == text


@pytest.mark.parametrize(
    ("before", "is_converted"),
    [
        ("from torch import nn\n", True),
        ("from common import *\nclass Net(nn.Module): pass\n", True),
        ("from .common import *\nx = torch.ones(2)\n", True),
        ("from common import *\nx = ops.ones(2)  # torch.ones(2)\n", False),
        ("from common import nn\nclass Net(nn.Cell): pass\n", False),
    ],
)
def test_torch_may_come_by_a_star(before: str, is_converted: bool) -> None:
    text = NET.format(statement="self.queue = x")
    assert (with_registered_buffers(before, text) != text) is is_converted


PARTS = """class Outer(nn.Cell):
    def __init__(self):
        self.net, self.other = Net(), 1
        self.part = Net()
        self.unknown = made()

    def set(self, value):
        {statement}
"""


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.part.queue = f(value)  # 😀", 'self.part.register_buffer("queue", f(value))  # 😀'),
        ("self.part.seen += 1", 'self.part.register_buffer("seen", self.part.seen + 1, persistent=False)'),
        ("self.part.other = value", "self.part.other = value"),
        ("self.unknown.queue = value", "self.unknown.queue = value"),
        ("value.part.queue = value", "value.part.queue = value"),
        ("self.part.part.queue = value", "self.part.part.queue = value"),
    ],
)
def test_buffers_of_a_part(statement: str, expected: str) -> None:
    net = NET.format(statement="pass")
    assert converted(net + PARTS.format(statement=statement)) == net + PARTS.format(statement=expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("net = Net()\nnet.queue = x  # 中文\n", 'net = Net()\nnet.register_buffer("queue", x)  # 中文\n'),
        ("net = Net()\nnet.queue *= 2\n", 'net = Net()\nnet.register_buffer("queue", net.queue * 2)\n'),
        (
            "def f():\n    net = Net()\n    net.seen = x\n\n\ndef g():\n    net = Net(1)\n    net.queue = x\n",
            'def f():\n    net = Net()\n    net.register_buffer("seen", x, persistent=False)\n\n\n'
            'def g():\n    net = Net(1)\n    net.register_buffer("queue", x)\n',
        ),
    ],
)
def test_from_outside(text: str, expected: str) -> None:
    net = NET.format(statement="pass")
    assert converted(net + text) == net + expected
    assert converted(net + expected) == net + expected


@pytest.mark.parametrize(
    "text",
    [
        "net = Net()\nnet.other = x\n",
        "net = Net()\nnet = 1\nnet.queue = x\n",
        "def f(net):\n    net.queue = x\n\n\nnet = Net()\n",
        "net = Net() if x else None\nnet.queue = x\n",
        "for net in nets:\n    net.queue = x\n",
        "other = Other()\nother.queue = x\n",
        "net = Net()\nnet.queue[0] = x\n",
    ],
)
def test_what_stays_outside(text: str) -> None:
    net = NET.format(statement="pass")
    assert converted(net + text) == net + text


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "block.attn.queue = block.attn.queue[:, :size]  # 中文",
            'block.attn.register_buffer("queue", block.attn.queue[:, :size])  # 中文',
        ),
        ("net.seen = net.seen.half()", 'net.register_buffer("seen", net.seen.half(), persistent=False)'),
        (
            "nets[0].queue = nets[0].queue[1:].copy()",
            'nets[0].register_buffer("queue", nets[0].queue[1:].copy())',
        ),
        # Nothing says what has the attribute.
        ("net.queue = other.queue[:size]", "net.queue = other.queue[:size]"),
        ("net.queue = size", "net.queue = size"),
        ("net.queue = f(net.queue)", "net.queue = f(net.queue)"),
        # A parameter in the place of one.
        (
            "net.queue = mindspore.Parameter(net.queue[:size])",
            "net.queue = mindspore.Parameter(net.queue[:size])",
        ),
        ("net.other = net.other[:size]", "net.other = net.other[:size]"),
    ],
)
def test_parts_of_what_is_given_in(statement: str, expected: str) -> None:
    text = NET.format(statement="pass") + "\n\ndef crop(block, net, nets, other, size):\n    {0}\n"
    assert converted(text.format(statement)) == text.format(expected)


ARMS = """class Net(nn.Cell):
    def __init__(self, bound, kind):
{body}

    def move(self, bound):
        self.bound = bound
"""
MOVED = '        self.register_buffer("bound", bound)\n'


@pytest.mark.parametrize(
    "body",
    [
        'if ops.is_tensor(bound):\n    self.register_buffer("bound", bound)\nelse:\n    self.bound = bound  # 😀',
        "if kind == 1:\n    self.bound = 1\nelif kind == 2:\n    self.bound, y = 2, 3\n"
        'else:\n    if bound is not None:\n        self.register_buffer("bound", bound)',
        'match kind:\n    case 1:\n        self.bound = 1\n    case _:\n        self.register_buffer("bound", bound)',
        'if kind:\n    self.bound = 1\nelse:\n    kind = 2\nif kind == 2:\n    self.register_buffer("bound", bound)',
        'if kind:\n    self.bound = 1\nelse:\n    for part in kind:\n        self.register_buffer("bound", bound)\n'
        '        self.register_buffer("other", bound)',
        'if kind:\n    self.register_buffer("bound", bound)\nelse:\n    self.bound = 1\n'
        'if bound:\n    self.register_buffer("bound", bound)',
    ],
)
def test_values_where_no_buffer_is(body: str) -> None:
    """What other arms of a test give an attribute is no buffer; what another method gives it may be one."""
    before = ARMS.format(body=indent(body, " " * 8))
    assert converted(before).split("    def move")[0] == before.split("    def move")[0]
    assert converted(before).endswith(MOVED)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            'self.register_buffer("bound", bound)\nif kind:\n    self.bound = bound + 1',
            'self.register_buffer("bound", bound)\nif kind:\n    self.register_buffer("bound", bound + 1)',
        ),
        (
            'if kind:\n    self.register_buffer("bound", bound)\nself.bound = bound + 1',
            'if kind:\n    self.register_buffer("bound", bound)\nself.register_buffer("bound", bound + 1)',
        ),
        (
            'if kind:\n    self.register_buffer("bound", bound)\n    self.bound = bound + 1\nelse:\n    self.bound = 1',
            'if kind:\n    self.register_buffer("bound", bound)\n    self.register_buffer("bound", bound + 1)\n'
            "else:\n    self.bound = 1",
        ),
        (
            'if kind:\n    self.register_buffer("bound", bound)\nif not kind:\n    self.bound = 1',
            'if kind:\n    self.register_buffer("bound", bound)\nif not kind:\n    self.register_buffer("bound", 1)',
        ),
    ],
)
def test_values_where_a_buffer_may_be(body: str, expected: str) -> None:
    before, after = (ARMS.format(body=indent(one, " " * 8)) for one in (body, expected))
    assert converted(before) == after.replace("        self.bound = bound\n", MOVED)


def test_an_inherited_buffer_may_be_there() -> None:
    body = 'if kind:\n    self.queue = bound\nelse:\n    self.register_buffer("queue", bound)'
    derived = ARMS.replace("Net(nn.Cell)", "Derived(Net)").format(body=indent(body, " " * 8))
    expected = derived.replace("self.queue = bound", 'self.register_buffer("queue", bound)')
    net = NET.format(statement="pass")
    assert converted(f"{net}\n\n{derived}") == f"{net}\n\n{expected}"
