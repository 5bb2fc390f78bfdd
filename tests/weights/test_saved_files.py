"""`torch_save` and `torch_load`, which converted programs get: what was written is read, also what torch wrote, and
nothing else is run."""

import argparse
import importlib.util
import io
import os
import pickle
from collections import OrderedDict

import mindspore
import numpy
import pytest
import torch

from mindport.registry.location import mappings_folder


def helper(name):
    spec = importlib.util.spec_from_file_location(name, mappings_folder() / "_helpers" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


torch_save, torch_load, torch_read_file = map(helper, ("torch_save", "torch_load", "torch_read_file"))
torch_load.__globals__["torch_read_file"] = torch_read_file  # in a file of a port it stands beside it
pytestmark = pytest.mark.oracle
TENSOR = mindspore.Tensor([[1.5, -2.0]])


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float32", "float64", "int64", "uint8", "bool", "complex64"]
)
def test_tensors_of_every_dtype(tmp_path, dtype):
    tensor = mindspore.Tensor([0, 1, 1]).astype(getattr(mindspore, dtype.replace("bool", "bool_")))
    torch_save({"a": tensor}, tmp_path / "x.pt")
    found = torch_load(tmp_path / "x.pt")["a"]
    assert found.dtype == tensor.dtype and found.astype(mindspore.float32).asnumpy().tolist() == [0, 1, 1]


def test_what_a_training_script_keeps(tmp_path):
    net = mindspore.nn.SequentialCell(mindspore.nn.Dense(2, 3), mindspore.nn.BatchNorm1d(3))
    kept = {
        "model": net.state_dict(),
        "epoch": 3,
        "losses": [0.5, None],
        "best": numpy.float32(0.25),
        7: ("a",),
    }
    torch_save(kept, tmp_path / "x.pt")
    found = torch_load(str(tmp_path / "x.pt"), map_location="cpu")
    assert isinstance(found["model"], OrderedDict) and isinstance(
        found["model"]["0.weight"], mindspore.Parameter
    )
    assert {name: found[name] for name in ("epoch", "losses", "best", 7)} == {
        k: kept[k] for k in kept if k != "model"
    }
    other = mindspore.nn.SequentialCell(mindspore.nn.Dense(2, 3), mindspore.nn.BatchNorm1d(3))
    other.load_state_dict(found["model"])
    assert (other[0].weight.asnumpy() == net[0].weight.asnumpy()).all()


@pytest.mark.parametrize(
    "layer",
    [
        lambda nn: nn.Dropout2d(p=0.3),
        lambda nn: nn.Dropout3d(p=0.1),
        lambda nn: nn.Dropout(p=0.2),
        lambda nn: nn.MaxPool2d(3, 2),
        lambda nn: nn.LRN(3, 0.1, 2.0, 0.4),
        lambda nn: nn.LogSoftmax(1),
    ],
)
def test_operators_keep_what_they_were_made_with(layer):
    net, stream = layer(mindspore.nn), io.BytesIO()
    torch_save(net, stream)
    stream.seek(0)
    found = torch_load(stream, weights_only=False)
    kept = {name: one.attrs for name, one in net._primitives.items() if one is not None}
    assert kept and {name: found._primitives[name].attrs for name in kept} == kept


def test_open_files_and_checkpoints(tmp_path):
    stream = io.BytesIO()
    torch_save(TENSOR, stream)
    stream.seek(0)
    assert (torch_load(stream) == TENSOR).all()
    mindspore.save_checkpoint(mindspore.nn.Dense(2, 3), str(tmp_path / "net.ckpt"))
    assert list(torch_load(tmp_path / "net.ckpt")) == ["weight", "bias"]
    torch_save({"a": TENSOR}, tmp_path / "own.ckpt")  # torch says nothing of names
    assert (torch_load(tmp_path / "own.ckpt")["a"] == TENSOR).all()


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("name", ["net.pth", "net.ckpt"])
def test_a_file_of_torch_is_read(tmp_path, is_zip, name):
    whole = torch.arange(12.0).reshape(3, 4)
    kept = {
        "across": whole.T,
        "part": whole[1:, 2],
        "number": torch.tensor(3),
        "none": torch.empty(0, 3),
        "half": whole.half(),
        "upper": whole.bfloat16(),
        "signs": whole > 3,
        "complex": torch.complex(whole, -whole),
        "weight": torch.nn.Parameter(whole),
    }
    plain = {"epoch": 3, "shape": whole.shape, "text": "权重 🚀", "device": torch.device("cpu")}
    torch.save(kept | plain, tmp_path / name, _use_new_zipfile_serialization=is_zip)
    found = torch_load(tmp_path / name)
    assert {key: found[key] for key in plain} == {**plain, "device": "cpu"}
    for key, value in kept.items():
        assert str(found[key].dtype).lower() == str(value.dtype).removeprefix("torch.")
        expected = value.detach().float() if key == "upper" else value.detach()
        values = found[key].astype(mindspore.float32) if key == "upper" else found[key]
        numpy.testing.assert_array_equal(values.asnumpy(), expected.numpy())
        assert found[key].shape == tuple(value.shape)


@pytest.mark.parametrize("is_zip", [True, False])
def test_what_a_file_of_torch_holds_besides_is_read_where_asked_for(tmp_path, is_zip):
    kept = {"options": argparse.Namespace(rate=0.1), "best": numpy.float64(3), "seen": numpy.arange(3)}
    torch.save(kept, tmp_path / "net.pth", _use_new_zipfile_serialization=is_zip)
    with pytest.raises(pickle.UnpicklingError, match=r"holds a argparse\.Namespace"):
        torch_load(tmp_path / "net.pth")
    found = torch_load(tmp_path / "net.pth", weights_only=False)
    assert found["options"] == kept["options"] and found["best"] == 3 and found["seen"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("weights_only", [True, False])
def test_networks_that_torch_wrote_are_refused(tmp_path, weights_only):
    torch.save(torch.nn.Linear(2, 2), tmp_path / "net.pth")
    with pytest.raises(pickle.UnpicklingError, match=r"torch\.nn\.modules\.linear\.Linear"):
        torch_load(tmp_path / "net.pth", weights_only=weights_only)
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), tmp_path / "script.pt")
    with pytest.raises(ValueError, match="TorchScript"):
        torch_load(tmp_path / "script.pt", weights_only=weights_only)


def test_a_tensor_that_reaches_beyond_its_numbers_is_refused():
    class Beyond:
        def __reduce__(self):
            return torch._utils._rebuild_tensor_v2, (torch.ones(3)._typed_storage(), 2, (5,), (1,), False, {})

    with pytest.raises(ValueError, match="beyond its numbers"):
        torch_read_file(pickled_by_torch(Beyond()))


def pickled_by_torch(value):
    stream = io.BytesIO()
    torch.save(value, stream)
    return stream.getvalue()


class Calls:
    def __reduce__(self):
        return os.mkdir, ("mark-of-the-attack",)


def test_code_runs_only_where_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch_save({"a": Calls()}, "x.pt")
    with pytest.raises(pickle.UnpicklingError, match="mkdir is no tensor"):
        torch_load("x.pt")
    assert not (tmp_path / "mark-of-the-attack").exists()
    torch_load("x.pt", weights_only=False)
    assert (tmp_path / "mark-of-the-attack").exists()
