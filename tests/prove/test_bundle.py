"""Results of a bundle count where they are whole, of the bundle's MindSpore and device, and run the same as today."""

from __future__ import annotations

import hashlib
import json

import msgspec
import pytest

from mindport.config.problem import ConfigurationError
from mindport.mapping.index import load_index
from mindport.mapping.shared_evidence import as_text, merged, read_shared
from mindport.model.target import Device, Target, Version
from mindport.prove import bundle
from mindport.prove.bundle import BundleManifest, Results, accept, digest_of, read_results
from mindport.prove.proof import plan

TARGET = Target(Version(2, 10, 0), Device.GPU)
AGREE = {"status": "agree", "message": "", "kind": "", "max_abs": 0.0, "gradient": True, "remarks": []}


@pytest.fixture(scope="module")
def mapping():
    """On GPU its first two examples show case 0, and the third one shows case 1."""
    found = load_index().find("torch.outer")
    assert found is not None
    return msgspec.structs.replace(found, examples=found.examples[:3])


def rows_of(mapping, chosen=(0, 1, 2), outcome=AGREE):
    planned = plan({"m": mapping}, TARGET)
    assert [one.case for one in planned] == [0, 0, 1]
    return [
        {
            "api": "torch.outer",
            "digest": digest_of(planned[i]),
            "outcomes": [outcome] * len(planned[i].requests),
        }
        for i in chosen
    ]


def results(rows, **changes):
    """The results of a run on GPU."""
    content = {
        "bundle": msgspec.to_builtins(BundleManifest(1, "2.10.0", "GPU", "pynative", "2.13.0", "", 3)),
        "versions": {"mindspore": "2.10.0"},
        "machine": {"device": "GPU", "chip": "A100"},
        "rows": rows,
        "digest": hashlib.sha256(
            json.dumps(rows, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest(),
    }
    return {**content, **changes}


def accepted(mapping, rows, **changes):
    return accept(msgspec.convert(results(rows, **changes), Results), {"m": mapping})


def test_what_was_run_is_evidence_for_the_device(mapping, tmp_path):
    found = accepted(mapping, rows_of(mapping))
    assert [(row.case, row.device, row.agrees, row.is_proof) for row in found.evidence["m"]] == [
        (0, "GPU", True, True),
        (1, "GPU", True, True),
    ]
    assert (found.machine, found.stale) == ("chip A100, device GPU", 0)
    path = tmp_path / "evidence.json"
    path.write_text(as_text(merged((), found.shared)))
    assert [row.machine for row in read_shared(path)] == ["chip A100, device GPU"] * 2


def test_a_case_counts_when_all_its_examples_were_run(mapping):
    assert [row.case for row in accepted(mapping, rows_of(mapping, (0, 1))).evidence["m"]] == [0]
    assert [row.case for row in accepted(mapping, rows_of(mapping, (0, 2))).evidence["m"]] == [1]
    assert accepted(mapping, rows_of(mapping, (0,))).evidence == {}


def test_a_difference_speaks_against_the_case(mapping):
    differ = {**AGREE, "status": "differ", "message": "y: 1 of 2 values differ", "kind": "value"}
    assert not any(row.agrees for row in accepted(mapping, rows_of(mapping, outcome=differ)).evidence["m"])


def test_what_is_not_run_any_more_says_nothing(mapping):
    changed = msgspec.structs.replace(mapping, examples=mapping.examples[1:])
    assert accepted(changed, rows_of(mapping)).stale == 1
    other = [{**row, "digest": "another"} for row in rows_of(mapping)]
    found = accepted(mapping, other)
    assert (found.stale, found.evidence) == (1, {})


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"versions": {"mindspore": "2.9.0"}}, "the bundle is for MindSpore 2.10.0, and 2.9.0 ran it"),
        ({"versions": {}}, "the bundle is for MindSpore 2.10.0"),
        ({"machine": {"device": "CPU"}}, "the bundle is for GPU, and was not run there"),
    ],
)
def test_another_machine_than_the_bundle_is_for(mapping, changes, complaint):
    with pytest.raises(ConfigurationError, match=complaint):
        accepted(mapping, rows_of(mapping), **changes)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda content: content["rows"].pop(), "changed or cut"),
        (lambda content: content["rows"][0]["outcomes"].pop(), "changed or cut"),
        (lambda content: content["bundle"].update(format=2), "format 2 is not known"),
        (lambda content: content.pop("rows"), "no results of a bundle"),
    ],
)
def test_files_that_cannot_be_used(mapping, tmp_path, change, complaint):
    content = results(rows_of(mapping))
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content))
    assert len(read_results(path).rows) == 3
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(ConfigurationError, match=complaint):
        read_results(path)


def test_what_goes_along_needs_python_and_mindspore_only():
    for name in (*bundle._ALONG, "prove/bundle_run.py"):
        text = (bundle._PACKAGE / name).read_text()
        assert "msgspec" not in text
        assert "import torch" not in text.replace(
            "        import torch", ""
        )  # where a part of both is asked for
        imports = [line for line in text.splitlines() if line.startswith("from mindport.")]
        assert all(
            line.split()[1] in ("mindport.registry.probe_process", "mindport.prove.workers")
            for line in imports
        )
