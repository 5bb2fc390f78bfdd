"""scripts/new_mapping.py drafts what is not judged, and a draft is no judgement until its author has written it."""

from __future__ import annotations

import contextlib
import io
import runpy
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from mindport.explain.name_page import api_page
from mindport.mapping.catalogue import check_catalogue
from mindport.mapping.coverage import not_judged
from mindport.mapping.index import load_index
from mindport.mapping.load import read_mapping_file
from mindport.mapping.schema import ArgumentRule, Mapping
from mindport.model.target import Device, Target, Version

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
CPU = Target(Version(2, 10, 0), Device.CPU)


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The script's own command line, in this process: starting one for each test takes most of the time."""
    output, problems = io.StringIO(), io.StringIO()
    command = [str(SCRIPTS / script), *map(str, arguments)]
    with (
        mock.patch.object(sys, "argv", command),
        mock.patch.object(sys, "path", list(sys.path)),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(problems),
        pytest.raises(SystemExit) as end,
    ):
        runpy.run_path(command[0], run_name="__main__")
    load_index.cache_clear()  # what the script wrote is not read yet
    return subprocess.CompletedProcess(command, end.value.code, output.getvalue(), problems.getvalue())


def written(name: str, folder: Path, *options: str) -> Path:
    done = run("new_mapping.py", name, "--mappings", folder, "--write", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return Path(done.stdout.strip())


def read(file: Path) -> Mapping:
    mapping = read_mapping_file(file)
    assert isinstance(mapping, Mapping), mapping
    return mapping


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("torch.nn.functional.leaky_relu", "torch/nn/functional/leaky_relu.yaml"),  # function and module
        ("torch.cumsum", "torch/cumsum.yaml"),  # function and method
        ("torch.Tensor.clamp_", "torch/Tensor/clamp_.yaml"),  # writes into its input
        ("torch.Tensor.shape", "torch/Tensor/shape.yaml"),
        ("torch.optim.Adam", "torch/optim/Adam.yaml"),
        ("torch.float32", "torch/float32.yaml"),
        ("torch.bitwise_xor", "torch/bitwise_xor.yaml"),  # its first parameter is called self
        ("torch.fx.Graph", "torch/fx/Graph.yaml"),  # nothing to answer it
        ("torchvision.ops.nms", "torchvision/ops/nms.yaml"),
    ],
)
@pytest.mark.parametrize("device", ["CPU", "Ascend"])
def test_only_the_placeholders_keep_a_draft_from_being_valid(name, file, device, tmp_path):
    path = written(name, tmp_path, "--device", device)
    assert path == tmp_path / file
    mapping = read(path)
    assert not mapping.evidence
    assert all(case.fix != "safe" and case.why.startswith("DRAFT:") for case in mapping.cases)
    _, problems = check_catalogue(tmp_path)
    assert {problem.key_path for problem in problems} >= {"summary", "cases[0].why"}
    assert all(problem.message.startswith("still to be written") for problem in problems)
    path.write_text(path.read_text().replace("DRAFT:", "Known:"))
    assert check_catalogue(tmp_path) == (1, ())


def test_renames_defaults_and_parameters_without_a_counterpart(tmp_path):
    mapping = read(written("torch.nn.functional.leaky_relu", tmp_path))
    function, module = mapping.cases
    assert (function.call, function.forms) == ("mindspore.ops.leaky_relu", ["function"])
    assert (module.call, module.forms) == ("mindspore.nn.LeakyReLU", ["module"])
    assert function.args["negative_slope"] == ArgumentRule(to="alpha", default="0.01")
    assert function.args["inplace"].report.startswith("DRAFT:")
    first = mapping.examples[0]
    assert first.before == "y = F.leaky_relu(x, negative_slope=0.01)"
    assert first.after == "y = ops.leaky_relu(x, alpha=0.01)"


def test_the_device_decides_which_counterpart_comes_first(tmp_path):
    (case,) = read(written("torch.nn.SyncBatchNorm", tmp_path, "--device", "Ascend")).cases
    assert (case.call, case.devices) == ("mindspore.mint.nn.SyncBatchNorm", ["Ascend"])
    on_cpu = run("new_mapping.py", "torch.nn.Conv2d", "--mappings", tmp_path).stdout
    assert "call: mindspore.nn.Conv2d" in on_cpu
    assert (
        "mindspore.mint.nn.Conv2d (consistent in the official tables of master; not documented there)"
        in on_cpu
    )


def test_an_in_place_name_is_written_back(tmp_path):
    mapping = read(written("torch.Tensor.clamp_", tmp_path))
    assert (mapping.torch.method, mapping.torch.function) == ("torch.Tensor.clamp_", "torch.clamp_")
    assert mapping.cases[0].rewrite == "$input[()] = $input.copy().clamp(min=$min, max=$max)"
    assert mapping.examples[0].before == "x = x + 0\nx.clamp_()\ny = x"


def test_a_draft_has_a_card_and_counts_as_not_judged(tmp_path):
    path = written("torch.cumsum", tmp_path)
    draft = load_index(tmp_path)
    assert "DRAFT: how mindspore.ops.cumsum answers" in (api_page("torch.cumsum", CPU, draft) or "")
    assert not_judged(draft, ["torch.cumsum"]) == ("torch.cumsum",)
    path.write_text(path.read_text().replace("DRAFT:", "Known:"))
    load_index.cache_clear()
    assert not_judged(load_index(tmp_path), ["torch.cumsum"]) == ()


def test_validate_mappings_names_what_is_left_to_write(tmp_path):
    done = run("validate_mappings.py", written("torch.cumsum", tmp_path))
    assert done.returncode == 1
    assert "summary: still to be written: one sentence on what cumsum does." in done.stdout


def test_a_judged_name_is_not_drafted_again():
    done = run("new_mapping.py", "torch.concat")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("mappings/torch/cat.yaml\n")


def test_forms_that_are_judged_elsewhere_are_left_out(tmp_path):
    (tmp_path / "one.yaml").write_text(
        "torch: {module: torch.nn.LeakyReLU}\nsummary: A layer.\ncases: [{verdict: same}]\n"
    )
    path = written("torch.nn.functional.leaky_relu", tmp_path)
    assert read(path).torch.module == ()
    assert "# torch.nn.LeakyReLU is judged in mappings/one.yaml.\n" in path.read_text()


def test_no_file_is_overwritten(tmp_path):
    (tmp_path / "torch").mkdir()
    other = tmp_path / "torch" / "cumsum.yaml"
    other.write_text("torch: {function: torch.abs}\nsummary: Another one.\ncases: [{verdict: same}]\n")
    before = other.read_bytes()
    done = run("new_mapping.py", "torch.cumsum", "--mappings", tmp_path, "--write")
    assert (done.returncode, done.stdout) == (1, "")
    assert "exists already" in done.stderr
    assert other.read_bytes() == before


def test_printing_writes_nothing(tmp_path):
    assert run("new_mapping.py", "torch.cumsum", "--mappings", tmp_path).stdout.startswith("# A draft")
    assert not list(tmp_path.rglob("*.yaml"))


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("torch.nn.functional.leaky_rule", "(did you mean 'torch.nn.functional.leaky_relu'?)"),
        ("torch.Tensor.cumsun", "(did you mean 'torch.Tensor.cumsum'?)"),
        ("../escape", ""),
        ("", ""),
    ],
)
def test_an_unknown_name(name, near, tmp_path):
    done = run("new_mapping.py", name, "--mappings", tmp_path, "--write")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"torch has no {name}")
    assert near in done.stderr
    assert not list(tmp_path.rglob("*.yaml"))
