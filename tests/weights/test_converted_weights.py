"""`mindport convert-weights`: what torch saved, the port loads, and then computes what torch does; what does not fit is
told by name."""

import re
import shutil
import sys
from pathlib import Path

import every_layer
import numpy
import pytest
import torch

from loaded_frameworks import run_python
from mindport.cli.main import main

pytestmark = pytest.mark.oracle

ENTRY = "EveryLayer()"
# Loads a checkpoint in both of MindSpore's ways and prints what the port computes.
RUN = """
import sys, mindspore, numpy
sys.path.insert(0, sys.argv[1])
from every_layer import EveryLayer
x = mindspore.Tensor(numpy.arange(10).reshape(2, 5))
net, other = EveryLayer().set_train(False), EveryLayer().set_train(False)
print(net.load_state_dict(mindspore.load_checkpoint(sys.argv[2])), file=sys.stderr)
assert mindspore.load_param_into_net(other, mindspore.load_checkpoint(sys.argv[2]))[0] == []
numpy.save(sys.argv[3], net(x).asnumpy())
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The model, converted."""
    folder = tmp_path_factory.mktemp("port")
    file = Path(shutil.copy(every_layer.__file__, folder))
    assert main(["fix", "--device", "CPU", "--target-version", "2.10", str(file)]) == 0
    assert re.search(r"\btorch\b(?!'s)", file.read_text()) is None
    return file


@pytest.fixture
def trained():
    """A model that has seen data, and no weight of which is what it began with."""
    torch.manual_seed(3)
    model = every_layer.EveryLayer()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(3):
        model(torch.randint(0, 10, (4, 5))).square().mean().backward()
        optimizer.step()
    model.scale.mul_(1.5)
    return model.eval()


@pytest.fixture
def convert(port, tmp_path, capsys, monkeypatch):
    """Saves with torch, runs the command, and gives its exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(content, *arguments, name="net.pth", **how):
        torch.save(content, name, **how)
        base = ["convert-weights", name, "net.ckpt", "--model", str(port), "--entry", ENTRY]
        code = main([*base, "--device", "CPU", "--interpreter", sys.executable, *arguments])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("prefix", ["", "module.", "module._orig_mod."])
def test_the_port_computes_what_torch_does(convert, trained, port, tmp_path, prefix, is_zip):
    state = {prefix + name: tensor for name, tensor in trained.state_dict().items()}
    content = {"state_dict": state, "epoch": 3} if prefix else state
    code, out, err = convert(content, _use_new_zipfile_serialization=is_zip)
    assert code == 0, out + err
    assert "0 missing, 0 unexpected, 0 mismatched" in out
    done = run_python(["-c", RUN, str(port.parent), "net.ckpt", "out.npy"], tmp_path)
    assert done.returncode == 0 and "All keys matched" in done.stderr, done.stderr
    wanted = trained(torch.arange(10).reshape(2, 5)).detach().numpy()
    assert abs(numpy.load(tmp_path / "out.npy") - wanted).max() < 1e-5


def test_every_tensor_is_accounted_for(convert, trained, tmp_path):
    code, out, _ = convert(trained.state_dict(), "--verbose")
    names = {line.split()[1] for line in out.splitlines() if line.startswith("loaded")}
    left_out = {line.split()[2] for line in out.splitlines() if line.startswith("not needed")}
    assert code == 0 and names | left_out >= set(trained.state_dict())
    assert left_out == {"norm.num_batches_tracked"}  # a norm without weights has none in the port either


def test_what_does_not_fit_is_named_and_nothing_is_written(convert, trained, tmp_path):
    state = dict(trained.state_dict())
    state["final.weight"] = state["final.weight"][:2]
    state["conv.weight"] = state["conv.weight"].transpose(0, 1)
    state["old.weight"] = state.pop("layers.0.weight")
    del state["gamma"]
    (tmp_path / "net.ckpt").write_text("what was there before")
    code, out, _ = convert(state)
    assert code == 1
    lines = {line.partition(":")[0] for line in out.splitlines()}
    assert lines >= {
        "missing     layers.0.weight (8, 8)",
        "missing     gamma (8,)",
        "unexpected  old.weight (8, 8)",
        "mismatched  final.weight (2, 10), in the port (4, 10)",
        "mismatched  conv.weight (6, 8, 3), in the port (8, 6, 3)",
    }
    assert (tmp_path / "net.ckpt").read_text() == "what was there before"
    assert [file.name for file in tmp_path.glob("*mindport*")] == []
    code, out, _ = convert(state, "--allow-partial")
    assert code == 0 and "Wrote net.ckpt" in out and "2 missing, 1 unexpected, 2 mismatched" in out


def test_dtypes_become_those_of_the_port(convert, trained):
    code, out, _ = convert(trained.bfloat16().state_dict())
    assert code == 0 and "converted   bfloat16 -> float32: 20" in out


def test_a_checkpoint_of_another_model_is_not_written(convert, tmp_path):
    code, out, _ = convert(torch.nn.Linear(2, 3).state_dict(), "--allow-partial")
    assert code == 1 and "0 loaded" in out and "Did not write" in out and not (tmp_path / "net.ckpt").exists()


def test_a_key_can_be_named(convert, trained):
    content = {"model": torch.nn.Linear(2, 3).state_dict(), "ema": trained.state_dict()}
    assert convert(content)[0] == 1
    code, out, _ = convert(content, "--key", "ema")
    assert code == 0 and "Tensors under 'ema'" in out
    code, _, err = convert(content, "--key", "emma")
    assert code == 2 and "no weights under 'emma'; it has ema, model" in err


@pytest.mark.parametrize(
    ("content", "options", "complaint"),
    [
        (torch.nn.Linear(2, 3), [], "torch.nn.modules.linear.Linear is refused"),
        ([1, 2], [], "holds no dictionary of weights"),
        ({"a": torch.ones(1)}, ["--entry", "NoSuchModel()"], "NameError: name 'NoSuchModel' is not defined"),
        ({"a": torch.ones(1)}, ["--entry", "Every Layer"], "is no expression"),
        ({"a": torch.ones(1)}, ["--entry", "3"], "the entry gives a int, not a Cell"),
        ({"a": torch.ones(1)}, ["--seconds", "1"], "did not answer within 1 s"),
    ],
)
def test_what_cannot_be_done(convert, tmp_path, content, options, complaint):
    code, _, err = convert(content, *options)
    assert code == 2 and complaint in err
    assert sorted(file.name for file in tmp_path.iterdir() if "rank" not in file.name) == ["net.pth"]
