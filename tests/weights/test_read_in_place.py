"""A port reads what torch saved, as the program did: with torch's names and shapes, and no step between."""

import shutil
from pathlib import Path

import numpy
import pretrained
import pytest
import torch

from loaded_frameworks import run_python
from mindport.cli.main import main

pytestmark = pytest.mark.oracle

RUN = """
import sys, mindspore, numpy
sys.modules["torch"] = None
sys.path.insert(0, sys.argv[1])
from pretrained import WAYS
net = WAYS[sys.argv[2]](sys.argv[3]).set_train(False)
numpy.save("found.npy", net(mindspore.Tensor(numpy.load("x.npy"))).asnumpy())
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The program, ported."""
    folder = tmp_path_factory.mktemp("program")
    shutil.copy(pretrained.__file__, folder / "pretrained.py")
    written = folder.with_name(f"{folder.name}-port")
    main(["port", str(folder), "-o", str(written), "--no-try", "--device", "CPU", "--target-version", "2.10"])
    return written


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("way", pretrained.WAYS)
def test_what_torch_saved_is_read(port, tmp_path, monkeypatch, way, is_zip):
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(1)
    net = pretrained.Net()
    for parameter in net.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    net(torch.randn(4, 3, 6, 6))  # gives the norms their statistics
    path = tmp_path / "net.pth"
    torch.save({"net": net.state_dict(), "epoch": 3}, path, _use_new_zipfile_serialization=is_zip)
    x = torch.randn(2, 3, 6, 6)
    numpy.save("x.npy", x.numpy())
    run = run_python(["-c", RUN, str(port), way, str(path)], tmp_path)
    assert run.returncode == 0, run.stderr
    expected = net.eval()(x).detach().numpy()
    numpy.testing.assert_allclose(numpy.load(Path("found.npy")), expected, atol=1e-5)
