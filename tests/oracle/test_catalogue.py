"""The claims of the catalogue: every `fix: safe` is backed by a run of both frameworks that agrees today."""

import subprocess
import sys
from pathlib import Path

import pytest

from mindport.mapping.schema import Evidence
from oracles.evidence import of_other_targets, same_claim, with_evidence, with_times_of

pytestmark = pytest.mark.oracle

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "run_oracles.py"


def test_every_claim_of_the_catalogue_is_backed_by_a_run():
    command = [sys.executable, str(SCRIPT), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


MAPPING = """\
torch: {function: torch.relu}
summary: one
cases:
  - {verdict: renamed, call: mindspore.ops.relu, fix: safe}
  - {verdict: renamed, call: mindspore.ops.elu, fix: safe}
examples:
  - {before: "y = torch.relu(x)", after: "y = ops.relu(x)", inputs: {x: "rand(2, 3)"}, case: 0}
  - {before: "y = torch.relu(x)", after: "y = ops.elu(x)", inputs: {x: "rand(2, 3)"}, case: 1}
"""


def test_a_false_claim_fails_the_check_and_the_evidence_says_so(tmp_path):
    file = tmp_path / "relu.yaml"
    file.write_text(MAPPING)
    command = [sys.executable, str(SCRIPT), "--mappings", str(tmp_path), "--jobs", "1"]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.returncode == 1
    assert "cases[1].fix: safe without a run" in first.stdout and "cases[0]" not in first.stdout
    written = file.read_text()
    assert written.startswith(MAPPING) and "{case: 0," in written and "agrees: false" in written
    second = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert "stale" not in second.stdout and file.read_text() == written


ROW = Evidence(0, "value-shape-dtype", "2.13.0", "2.10.0", "CPU", "run", 3, max_abs=1e-7)


def test_evidence_is_replaced_and_nothing_else_moves():
    text = "# first\ntorch: {function: a}\nevidence:   # old\n- {case: 0}\n\n# a note\nlinks: [b]  # last\n"
    written = with_evidence(text, (ROW,))
    assert written.startswith("# first\ntorch: {function: a}\nlinks: [b]  # last\n# Written by")
    assert written.endswith("samples: 3, max_abs: 1.0e-07}\n")
    assert with_evidence(written, (ROW,)) == written
    assert "evidence" not in with_evidence(written, ())


def test_only_noise_counts_as_the_same_claim():
    import msgspec

    assert same_claim((ROW,), (msgspec.structs.replace(ROW, max_abs=2e-7),))
    assert not same_claim((ROW,), (msgspec.structs.replace(ROW, samples=4),))
    assert not same_claim((ROW,), (msgspec.structs.replace(ROW, agrees=False),))
    assert not same_claim((ROW,), ())
    assert same_claim((ROW,), (msgspec.structs.replace(ROW, time_ratio=2.0, time_elements=9),))


def test_times_stay_and_rows_of_other_targets_too():
    import msgspec

    timed = msgspec.structs.replace(ROW, time_ratio=2.0, time_elements=9)
    again = msgspec.structs.replace(ROW, samples=4, time_ratio=5.0, time_elements=9)
    assert with_times_of((again,), (timed,))[0].time_ratio == 2.0
    assert with_times_of((again,), (ROW,))[0].time_ratio is None
    ascend, older = (
        msgspec.structs.replace(ROW, **it) for it in ({"device": "Ascend"}, {"mindspore": "2.9.0"})
    )
    assert of_other_targets((ROW, ascend, older), "2.10.0") == (ascend, older)
