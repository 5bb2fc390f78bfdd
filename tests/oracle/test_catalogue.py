"""The claims of the catalogue: every `fix: safe` is backed by a run of both frameworks that agrees today. A tenth of
them here, another one each day; `scripts/run_oracles.py --check` runs all. That each was run as it is written today,
tests/mapping/test_shipped_evidence.py tells of all."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from proved import PARTS, todays_part
from ruamel.yaml import YAML

from mindport.mapping.schema import CatalogueNames, Evidence, Mapping
from oracles.evidence import EvidenceFile, with_times_of

pytestmark = pytest.mark.oracle

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "run_oracles.py"


def test_claims_of_the_catalogue_are_backed_by_a_run():
    command = [sys.executable, str(SCRIPT), "--check", "--shard", f"{(todays_part() or 0) + 1}/{PARTS}"]
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
    (store,) = (tmp_path / "_evidence").glob("*.json")
    written = store.read_text()
    assert file.read_text() == MAPPING
    assert written.count('"api":"torch.relu"') == 2 and written.count('"agrees":false') == 1
    second = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert "stale" not in second.stdout and store.read_text() == written


def test_shares_put_together_are_one_run(tmp_path):
    texts = {}
    for folder in ("one", "shares"):
        mappings = tmp_path / folder
        mappings.mkdir()
        for name in ("relu", "abs", "sigmoid"):
            (mappings / f"{name}.yaml").write_text(MAPPING.replace("relu", name))
        command = [sys.executable, str(SCRIPT), "--mappings", str(mappings), "--jobs", "1"]
        if folder == "one":
            subprocess.run(command, capture_output=True, check=False)
        else:
            files = [str(tmp_path / f"{number}.share") for number in (1, 2)]
            for number, file in enumerate(files, 1):
                share = ["--shard", f"{number}/2", "--output", file]
                subprocess.run([*command, *share], capture_output=True, check=False)
            assert not (mappings / "_evidence").exists()
            assert subprocess.run([*command, "--merge", files[0]], check=False).returncode == 1
            (mappings / "_evidence").mkdir()
            stale = '{"format": 1, "rows": []}\n'
            (mappings / "_evidence" / "mindspore-2.10.0.json").write_text(stale)
            assert subprocess.run([*command, "--merge", *files], check=False).returncode == 0
        texts[folder] = (mappings / "_evidence" / "mindspore-2.10.0.json").read_bytes()
    assert texts["one"] == texts["shares"]
    assert texts["one"].count(b'"agrees":false') == 3


ROW = Evidence("value-shape-dtype", "2.13.0", "2.10.0", "CPU", "run", 3, max_abs=1e-7, case=0)


def test_what_is_known_of_a_mapping_is_replaced_and_nothing_else(tmp_path):
    relu = msgspec.convert(YAML(typ="safe").load(MAPPING), Mapping)
    other = msgspec.structs.replace(relu, torch=CatalogueNames(function="torch.elu"))
    store = EvidenceFile(tmp_path / "store.json")
    store.replace(relu, [ROW, msgspec.structs.replace(ROW, case=1)])
    store.replace(other, [ROW])
    store.write()
    store = EvidenceFile(tmp_path / "store.json")
    assert [row.case for row in store.of(relu)] == [0, 1]
    fewer = msgspec.structs.replace(relu, cases=relu.cases[:1])
    assert [row.case for row in store.of(fewer)] == [0]
    store.replace(relu, [])
    assert store.of(relu) == () and store.of(other) == (ROW,)
    store.keep_names(["torch.relu"])
    assert store.of(other) == ()


def test_only_noise_counts_as_the_same_claim(tmp_path):
    relu = msgspec.convert(YAML(typ="safe").load(MAPPING), Mapping)
    store = EvidenceFile(tmp_path / "store.json")
    store.replace(relu, [ROW])
    for same in ({}, {"max_abs": 2e-7}, {"time_ratio": 2.0, "time_elements": 9}):
        assert store.says(relu, [msgspec.structs.replace(ROW, **same)])
    for other in ({"samples": 4}, {"agrees": False}, {"case": 1}):
        assert not store.says(relu, [msgspec.structs.replace(ROW, **other)])
    assert not store.says(relu, [])
    # What was seen of a case that is no more has to go.
    fewer = msgspec.structs.replace(relu, cases=relu.cases[1:])
    assert not store.says(fewer, [])
    # A case for another device that writes the same shares what was seen.
    twice = [relu.cases[0], msgspec.structs.replace(relu.cases[0], devices=["GPU"])]
    assert store.says(msgspec.structs.replace(relu, cases=twice), [ROW])


def test_times_stay():
    timed = msgspec.structs.replace(ROW, time_ratio=2.0, time_elements=9)
    again = msgspec.structs.replace(ROW, samples=4, time_ratio=5.0, time_elements=9)
    assert with_times_of((again,), (timed,))[0].time_ratio == 2.0
    assert with_times_of((again,), (ROW,))[0].time_ratio is None
