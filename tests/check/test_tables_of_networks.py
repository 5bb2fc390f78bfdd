"""Networks that a program chooses from a table, whatever its length: what is done with the chosen one is converted."""

from __future__ import annotations

import pytest

from mindport.checking.fixing import fix_paths

NAMES = [f"Net{number}" for number in range(9)]
NETS = "from torch import nn\n\n\n" + "\n\n".join(
    f"class {name}(nn.Module):\n    def forward(self, x):\n        return x\n" for name in NAMES
)
TABLE = f"TABLE = {{{', '.join(f'{name!r}: {name}' for name in NAMES)}}}"


def fixed(text, folder, settings, target):
    """The text of a file beside the networks after all fixes, without its first lines."""
    texts = {"nets.py": NETS, "run.py": f"import nets\nfrom nets import *\n\n\n{text}\n"}
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    return after["run.py"]


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("net = TABLE[args.net]().cuda().eval()", "net = TABLE[args.net]().set_train(False)"),
        ("net = TABLE[args.net]().float()", "net = TABLE[args.net]().to(mindspore.float32)"),
        ("net = TABLE.get('Net3')()\nnet.train()", "net.set_train()"),
        ("for name, kind in TABLE.items():\n    kind().eval()", "    kind().set_train(False)"),
    ],
)
def test_what_is_done_with_a_chosen_network(line, written, folder, settings, target):
    assert written in fixed(f"{TABLE}\n\n\n{line}", folder, settings, target)


def test_a_chosen_module_has_a_network(folder, settings, target):
    names = ("a", "b", "c", "d", "e", "f", "g", "h")
    texts = {f"models/{name}.py": NETS.partition("class Net1")[0].replace("Net0", "Net") for name in names}
    table = ", ".join(f"{name!r}: {name}" for name in names)
    texts["run.py"] = f"from models import {', '.join(names)}\n\nnet = {{{table}}}[kind].Net().float()\n"
    after = {one.path: one.after.text for one in fix_paths(folder(texts), settings, target, ".", unsafe=True)}
    assert "[kind].Net().to(mindspore.float32)" in after["run.py"]


@pytest.mark.parametrize(
    "line",
    ["value = TABLE[args.net].name.title()", "frame = {'a': 1, 'b': open}[args.net].eval()"],
)
def test_what_is_no_network_stays(line, folder, settings, target):
    assert line in fixed(f"{TABLE}\n\n\n{line}", folder, settings, target)
