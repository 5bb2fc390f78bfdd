"""Samples in graph mode: what an example computes is compiled, and what a graph does otherwise is seen."""

import sys
from pathlib import Path

import pytest

from mindport.mapping.index import load_index
from mindport.model.target import Device, Mode, Target, Version
from mindport.prove.outcomes import evidence_rows
from mindport.prove.proof import prove
from mindport.prove.workers import Worker

pytestmark = pytest.mark.oracle

GRAPH = Target(Version(2, 10, 0), Device.CPU, Mode.GRAPH)
X = {"x": "rand(2, 4)"}
CELL = "class Net(mindspore.nn.Cell):\n    def construct(self, x):\n        return x * 2\n\n"
MODULE = "class Net(nn.Module):\n    def forward(self, x):\n        return x * 2\n\n"

# before, after, inputs, whether the gradient is compared, too
AGREE = {
    "function": ("y = F.relu(x - 0.5)", "y = ops.relu(x - 0.5)", X, True),
    "layer": ("m = nn.Linear(4, 3)\ny = m(x)", "m = mindspore.nn.Dense(4, 3)\ny = m(x)", X, True),
    "class": (f"{MODULE}m = Net()\ny = m(x)", f"{CELL}m = Net()\ny = m(x)", X, True),
    "no input": ("y = torch.zeros(2, 3)", "y = ops.zeros((2, 3))", {}, False),
    "literal": ("y = x.sum(n)", "y = x.sum(n)", {**X, "n": "1"}, True),
    "several": ("y = torch.topk(x, 2)", "y = ops.topk(x, 2)", X, True),
    "rebound": ("x += 1\ny = x * 2", "x = x + 1\ny = x * 2", X, True),
}

# before, after: right in PyNative, and what graph mode does
DISAGREE = {
    "another meaning": ("y = x.transpose(0, 1)", "y = x.transpose(0, 1)", "differ"),
    "no kernel": ("y = x.cumsum(dim=1)", "y = x.cumsum(dim=1)", "failed"),
    "lost write": ("y = x + 1\ny.add_(1)", "def f(y):\n    y[()] = y + 1\ny = x + 1\nf(y)", "differ"),
    "no gradient": ("y = x * 2", "y = mindspore.Tensor(x.asnumpy() * 2)", "differ"),
    "not compiled": ("y = x * 2", "try:\n    y = x * 2\nfinally:\n    pass", "failed"),
}


@pytest.fixture(scope="module")
def ask():
    worker = Worker(Path(sys.executable))

    def run(before, after, inputs, mode="graph"):
        example = {"before": before, "after": after, "inputs": inputs, "observe": "y", "compare": "value"}
        request = {"example": example, "variant": "own", "seed": 0, "mode": mode, "compiled": mode == "graph"}
        return worker.ask(request, 60)

    yield run
    worker.stop()


@pytest.mark.parametrize("name", AGREE)
def test_a_compiled_sample_agrees(ask, name):
    before, after, inputs, has_gradient = AGREE[name]
    outcome = ask(before, after, inputs)
    assert outcome["status"] == "agree", outcome
    assert outcome["gradient"] is has_gradient


@pytest.mark.parametrize("name", DISAGREE)
def test_a_graph_that_does_something_else_is_seen(ask, name):
    before, after, status = DISAGREE[name]
    outcome = ask(before, after, X)
    assert outcome["status"] == status, outcome


@pytest.mark.parametrize("name", ["another meaning", "no kernel"])
def test_pynative_is_pynative_after_a_graph(ask, name):
    before, after, _ = DISAGREE[name]
    ask(before, after, X)
    assert ask(before, after, X, "pynative")["status"] == "agree"


# Much used names of each kind: functions, methods, layers, classes to derive from, what runs in Python, a helper, and
# cases that do not agree.
AGAIN = (
    "torch.cat",
    "torch.Tensor.view",
    "torch.nn.Conv2d",
    "torch.nn.Module.forward",
    "torch.optim.Adam",
    "torch.Tensor.max",
    "torch.Tensor.add_",
    "torch.no_grad",
)


def test_what_ships_of_graph_mode_is_seen_again():
    mappings = {name: load_index().find(name) for name in AGAIN}
    proof = prove(mappings, GRAPH, Path(sys.executable))
    for name, mapping in mappings.items():
        rows = evidence_rows(mapping, proof.outcomes[name], proof.versions, Device.CPU, Mode.GRAPH)
        seen = [row for row in mapping.evidence if (row.mindspore, row.mode) == (str(GRAPH.version), "graph")]
        shipped = sorted(seen, key=lambda row: row.case)
        shipped = [row for row in shipped if mapping.cases[row.case].modes != ["pynative"]]
        assert [(row.case, row.agrees) for row in rows] == [(row.case, row.agrees) for row in shipped], name
        assert rows and {row.mode for row in rows} == {"graph"}
