"""Graph mode refuses networks as their authors wrote them, and runs them as `with_graph_forms` writes them, with the
results of PyNative mode."""

from __future__ import annotations

import json
import textwrap

import pytest

from loaded_frameworks import run_python
from mindport.rewrite.graph_forms.forms import with_graph_forms

pytestmark = pytest.mark.oracle

_NETWORK = """
class Net(mindspore.nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = mindspore.nn.CellList([mindspore.nn.ReLU(), mindspore.nn.ReLU()])
        self.scale = 2.0

    def construct(self, x, y, h=None):
{body}
"""
_RUN = """
x, y = (mindspore.Tensor(numpy.array(one, numpy.float32)) for one in ([[1, 2]], [[3, 4]]))
mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
expected = Net()(x, y).asnumpy()
mindspore.set_context(mode=mindspore.GRAPH_MODE)
try:
    seen.append("agrees" if numpy.array_equal(Net()(x, y).asnumpy(), expected) else "differs")
except Exception:
    seen.append("refused")
"""
BODIES = {
    "mapped lambda": "h = self.scale\nq, k = map(lambda t: t * h, (x, y))\nreturn q + k",
    "mapped lambda of two": "q, k = map(lambda t, u: t * u * y, (x, y), (y, x))\nreturn q + k",
    "mapped lambda with a name of the file": "q, k = map(lambda t: mindspore.ops.relu(t), (x, y))\nreturn q + k",
    "mapped function": "def f(t):\n    return t * y\nreturn sum(map(f, (x, y)))",
    "mapped over layers": "return sum(tuple(map(lambda block: block(x), self.blocks)))",
    "deleted": "z = x + y\ndel x, y\nreturn z",
    "behind a loop": "for block in self.blocks:\n    z = block(x)\nreturn z",
    "loop variable": "for i, block in enumerate(self.blocks):\n    x = block(x)\nreturn x + i",
    "next turn": "for i, b in enumerate(self.blocks):\n    if i > 0:\n        x = x + z\n    z = b(y)\nreturn x",
    "branches": "if x.ndim == 2:\n    z = x\nelif x.ndim == 3:\n    z = y\nreturn z",
    "device": "n, device = x.shape[1], x.device\nreturn x + mindspore.ops.arange(n)",
    "the same question twice": "if h is None:\n    z = x\nx = x + 1\nif h is None:\n    x = x + z\nreturn x",
    "layers backwards": "for block in reversed(self.blocks):\n    x = block(x)\nreturn x",
    "numbered backwards": "for i, z in enumerate(reversed([x, y])):\n    x = x + i * z\nreturn x",
    "numbers backwards": "for i in reversed(range(len(self.blocks))):\n    x = x * 2 ** i\nreturn x",
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Name -> what graph mode says of the network as it is, and as it is written then."""
    folder = tmp_path_factory.mktemp("networks")
    networks = [_NETWORK.format(body=textwrap.indent(body, " " * 8)) for body in BODIES.values()]
    texts = ["import mindspore\n" + network for network in networks]
    files = []
    for index, text in enumerate(one for before in texts for one in (before, with_graph_forms(before))):
        files.append(folder / f"network_{index}.py")
        files[-1].write_text(text, encoding="utf-8")
    # Graph mode reads the source of a network from the file that it is imported from.
    modules = "".join(f"from {file.stem} import Net\n{_RUN}" for file in files)
    run = folder / "run.py"
    run.write_text(
        f"import json\nimport mindspore\nimport numpy\nseen = []\n{modules}\nprint(json.dumps(seen))\n"
    )
    done = run_python([run.name], folder)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    return dict(zip(BODIES, zip(seen[::2], seen[1::2], strict=True), strict=True))


@pytest.mark.parametrize("name", BODIES)
def test_graph_mode_runs_what_it_refused(name, outcomes):
    pytest.importorskip("mindspore")
    assert outcomes[name] == ("refused", "agrees")
