"""What networks have under names of Cell's own gets other ones, in the classes and where a network is known."""

import pytest

from mindport.rewrite.attributes_of_cells import renamed_attributes, with_own_attributes

HEAD = "import torch\nclass A(nn.Module):\n"
NET = """class Net({base}):
    def __init__(self, phase):
        super().__init__()
        self.phase = phase  # 中文 😀
        self.name = 'a'
        self.set = 1

    def {run}(self, x):
        return x if self.phase == '😀' else self.name
"""


def converted(text: str) -> str:
    text = text.replace("nn.Module", "nn.Cell").replace("def forward", "def construct")
    return text.replace("import torch\n", "")


def with_other_names(before: str, text: str) -> str:
    return with_own_attributes(before, text, renamed_attributes(before, text))


def renamed(before: str) -> str:
    return with_other_names(before, converted(before))


def network(rest: str = "", base: str = "nn.Module", run: str = "forward") -> str:
    return "import torch\nfrom torch import nn\n\n" + NET.format(base=base, run=run) + rest


def test_attributes_get_another_name() -> None:
    text = network("net = Net(1)\nprint(net.phase, args.phase)\n")
    found = renamed(text)
    assert found == converted(text).replace("self.phase", "self.phase_").replace("net.phase", "net.phase_")
    assert with_other_names(text, found) == found
    assert with_other_names(found, found) == found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("self.cells = nn.Linear(2, 2)", "self.cells_ = nn.Linear(2, 2)"),
        ("self.requires_grad: bool = True", "self.requires_grad_: bool = True"),
        ("self.shard, self.x = 1, 2", "self.shard_, self.x = 1, 2"),
        ("self.parameters_dict += x", "self.parameters_dict_ += x"),
        ("self._phase = 'warm'", "self._phase_ = 'warm'"),
        ("self._params = [1, 2]", "self._params_ = [1, 2]"),
        ("self._phases = 'warm'", "self._phases = 'warm'"),
        ("self._modules = 'warm'", "self._modules = 'warm'"),  # torch's, too
        ("self.training = True", "self.training = True"),
        ("return self.compiled", "return self.compiled_"),  # a base class of another file may assign it
    ],
)
def test_in_a_method(line: str, expected: str) -> None:
    text = f"import torch\nclass A(nn.Module):\n    def forward(self, x):\n        {line}\n"
    assert renamed(text).splitlines()[-1].strip() == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def cells(self):\n        return 1", "def cells_(self):\n        return 1"),
        ("async  def  get_inputs (self): ...", "async  def  get_inputs_ (self): ..."),
        (
            "@property\n    def phase(self):  # 中文 😀\n        return super().phase + self.phases",
            "@property\n    def phase_(self):  # 中文 😀\n        return super().phase_ + self.phases",
        ),
        ("phase, x = 1, 2\n    recompute = '😀'", "phase, x = 1, 2\n    recompute_ = '😀'"),
        ("shard: int = 1", "shard_: int = 1"),
        (
            "def get_parameters(self, mode):\n        return list(self.parameters()), self.get_parameters(mode)",
            "def get_parameters_(self, mode):\n        return list(self.parameters()), self.get_parameters_(mode)",
        ),
    ],
)
def test_in_the_body_of_a_class(body: str, expected: str) -> None:
    run = "    def forward(self, x):\n        return x\n"
    assert renamed(f"{HEAD}    {body}\n{run}") == converted(f"{HEAD}    {expected}\n{run}")


def test_a_method_that_the_conversion_writes_stays() -> None:
    before = (
        f"{HEAD}    def children(self):\n        return []\n    def forward(self, x):\n        return x\n"
    )
    text = converted(before).replace("def children", "def cells")
    assert with_other_names(before, text) == text


@pytest.mark.parametrize(
    "text",
    [
        network(base="object", run="run"),
        network().replace(
            "import torch\nfrom torch import nn", "from mindspore import nn"
        ),  # code for MindSpore
        network().replace("phase", "stage"),
        "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        return self.get_inputs(x)\n",
        f"{HEAD}    def cells(self):\n        return 1\n    def cells_(self):\n        return self.cells()\n",
        f"{HEAD}    def parts(self):\n        def cells():\n            return 1\n        return cells()\n",
        "import torch\nclass A:\n    phase = 1\n    def cells(self):\n        return self.get_parameters()\n",
        "import torch\nclass A(nn.Module):\n    def forward(self, x):\n        self.phase = self.phase_ = x\n",
        "import torch\nself.phase = 1\n",
        "import torch\nclass A(nn.Cell):\n    def construct(self, x):\n        return self.param_prefix\n",
        "import torch\nclass A(nn.Module:\n    self.phase = 1\n",
    ],
)
def test_what_stays(text: str) -> None:
    assert renamed(text) == converted(text)


def test_what_the_conversion_writes_itself_stays() -> None:
    before = f"{HEAD}    def forward(self, x):\n        self.cells = x\n        return self.children()\n"
    text = converted(before).replace("self.children()", "self.cells()")
    assert with_other_names(before, text) == text


def test_a_variable_that_may_be_something_else_stays() -> None:
    found = renamed(network("net = Net(1)\nnet = read()\nprint(net.phase)\n"))
    assert "print(net.phase)" in found
    assert "self.phase_ = phase" in found
