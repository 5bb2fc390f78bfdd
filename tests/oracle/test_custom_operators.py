"""Custom operators are built and compared with torch by the tests that are written with them: two tensors and a
gradient through both; several outputs, one of them without a gradient."""

import os
import subprocess
import sys

import pytest

from mindport.cli.main import main

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize(
    ("call", "inputs", "passed"),
    [
        ("torch.cdist(a, b, p=1.0)", ["rand(3, 5)", "rand(4, 5)"], "4 passed"),
        ("x.kthvalue(2)", ["rand(3, 5)"], "4 passed"),
    ],
)
def test_an_operator_is_built_and_agrees_with_torch(tmp_path, monkeypatch, call, inputs, passed):
    monkeypatch.chdir(tmp_path)
    samples = [part for text in inputs for part in ("--input", text)]
    assert (
        main(["custom-op", call, *samples, "-o", "ops", "--device", "CPU", "--target-version", "2.10"]) == 0
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for command in (["ops/build.py"], ["-m", "pytest", "-q", "-p", "no:cacheprovider", "ops"]):
        done = subprocess.run(
            [sys.executable, *command],
            env=environment,
            capture_output=True,
            text=True,
            timeout=500,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert passed in done.stdout


def test_an_operator_that_computes_something_else_is_told_apart(tmp_path, monkeypatch):
    """The written test is no formality."""
    monkeypatch.chdir(tmp_path)
    assert (
        main(["custom-op", "torch.erfinv(a)", "-o", "ops", "--device", "CPU", "--target-version", "2.10"])
        == 0
    )
    source = tmp_path / "ops" / "erfinv.cc"
    source.write_text(source.read_text().replace("at::erfinv(inputs[0])", "at::erfinv(inputs[0]).mul(2)"))
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "ops/build.py"], env=environment, timeout=500, check=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "ops"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert "4 failed" in done.stdout
