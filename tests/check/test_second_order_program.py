"""A critic, its training step and its gradient penalty in three files: findings where the layers are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mindport.cli.main import main

SAMPLES = Path(__file__).parent.parent / "sample"
TARGET = ("--no-cache", "--jobs", "1", "--device", "CPU", "--target-version", "2.10.0")


@pytest.fixture
def rows(tmp_path, monkeypatch, capsys):
    """The rows about second-order gradients in a copy of a sample."""

    def check(sample, *arguments, **changes):
        shutil.copytree(SAMPLES / sample, tmp_path / sample)
        monkeypatch.chdir(tmp_path / sample)
        for name, (before, after) in changes.items():
            path = Path(f"{name}.py")
            text = path.read_text()
            assert before in text
            path.write_text(text.replace(before, after))
        given = arguments if any(one.endswith(".py") for one in arguments) else (*arguments, ".")
        main(["check", "--output-format", "json", *TARGET, *given])
        found = json.loads(capsys.readouterr().out)["findings"]
        return [row for row in found if row["code"].startswith("MP2")]

    return check


def short(found):
    return [(row["file"], row["line"], row["code"], row["severity"], row["api"]) for row in found]


def test_layers_are_found_across_files_and_the_hazards_named(rows):
    found = [row for row in rows("wgan") if row["severity"] == "error"]
    assert short(found) == [
        ("critic.py", 24, "MP204", "error", "torch.nn.MaxPool2d"),
        ("critic.py", 25, "MP202", "error", "torch.nn.Flatten"),
    ]
    assert [(place["file"], place["line"]) for place in found[1]["related"]] == [
        ("penalty.py", 10), ("penalty.py", 9), ("critic.py", 30),
    ]  # fmt: skip
    assert (
        found[1]["related"][0]["message"]
        == "the gradient of a gradient is taken here, by torch.autograd.grad"
    )
    assert "MaxPoolGradGrad" in found[0]["message"] and "ms.jit" in found[1]["message"]


def test_graph_mode_takes_the_views_away(rows):
    found = rows("wgan", "--mode", "graph")
    assert [row["code"] for row in found if row["severity"] == "error"] == ["MP204"]


def test_on_another_device_nothing_is_claimed_that_was_not_run(rows):
    found = {row["api"]: row for row in rows("wgan", "--device", "Ascend")}
    assert found["torch.nn.Flatten"]["code"] == "MP203" and found["torch.nn.Linear"]["code"] == "MP205"
    # What replaces it there is another name, of which the registry alone tells enough.
    assert (
        found["torch.nn.Conv2d"]["code"] == "MP201"
        and "mindspore.mint.nn.Conv2d" in found["torch.nn.Conv2d"]["message"]
    )


def test_ported_code_is_judged_as_it_is(rows):
    found = [row for row in rows("wgan_ported") if row["severity"] != "information"]
    assert short(found) == [("critic.py", 26, "MP202", "error", "mindspore.nn.Flatten")]


def test_the_inner_gradient_as_a_graph_is_fine(rows):
    change = ("ms.grad(score)(mixed)", "ms.jit(ms.grad(score))(mixed)")
    assert [
        row["code"] for row in rows("wgan_ported", penalty=change) if row["severity"] != "information"
    ] == []


@pytest.mark.parametrize(
    ("before", "after"), [("create_graph=True", "create_graph=False"), ("critic(mixed)", "mixed.sum()")]
)
def test_no_second_order_no_findings(rows, before, after):
    assert [row for row in rows("wgan", penalty=(before, after)) if row["severity"] == "error"] == []


@pytest.mark.parametrize("sample", ["wgan", "wgan_ported"])
def test_one_file_alone_says_what_it_says_with_its_project(rows, sample, tmp_path):
    whole = short(rows(sample))
    assert "critic.py" in {row[0] for row in whole}
    for file in ("critic.py", "penalty.py", "train.py"):
        shutil.rmtree(tmp_path / sample)
        assert short(rows(sample, file)) == [row for row in whole if row[0] == file]
