"""The whole page of a name: the table of arguments, the table of runs, and second-order gradients."""

from __future__ import annotations

import pytest

from mindport.explain.argument_table import argument_table
from mindport.explain.reference_page import reference_page
from mindport.mapping.index import MappingIndex, load_index
from mindport.mapping.schema import ArgumentRule, Case
from mindport.model.target import Device, Target
from mindport.registry.mindspore import collected_versions, mindspore_facts
from mindport.registry.signature import parse_signature

CPU = Target(mindspore_facts().collected_version, Device.CPU)
TORCH = parse_signature("(input: Tensor, dim: int = 0, p: float = 0.5, *, out=None)")


def rows_of(case: Case, mindspore: str) -> dict[str, list[str]]:
    """The rows of a table by torch's argument."""
    lines = argument_table(case, TORCH, [parse_signature(mindspore)] if mindspore else [])
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]
    return {row[0].strip("`"): row[1:] for row in cells}


@pytest.mark.parametrize(
    ("rule", "mindspore", "argument", "expected"),
    [
        ({}, "(x, dim=0, p=0.5)", "input", ["", "`x`", "", "another name"]),
        ({}, "(x, dim=0, p=0.5)", "dim", ["`0`", "`dim`", "`0`", "the same"]),
        ({}, "(x, dim=-1, p=0.5)", "dim", ["`0`", "`dim`", "`-1`", "another default"]),
        ({"dim": "axis"}, "(x, axis=0)", "dim", ["`0`", "`axis`", "`0`", "another name"]),
        (
            {"p": ArgumentRule(drop=True)},
            "(x, p=1)",
            "p",
            ["`0.5`", "", "", "left out: it does not change the result"],
        ),
        ({"out": ArgumentRule(report="none")}, "(x)", "out", ["`None`", "", "", "no counterpart: none"]),
        ({}, "(x)", "dim", ["`0`", "", "", "no counterpart: a call that passes it is not rewritten"]),
        (
            {"p": ArgumentRule(default="0.5")},
            "(x, p=1.0)",
            "p",
            ["`0.5`", "`p`", "`1.0`", "`0.5` is written where the call leaves it out"],
        ),
        ({}, "(x, dim=0, p=0.5, more=1)", "", ["", "`more`", "`1`", "torch has no such argument"]),
    ],
)
def test_fate_of_an_argument(
    rule: dict[str, str | ArgumentRule], mindspore: str, argument: str, expected: list[str]
) -> None:
    assert (
        rows_of(Case(verdict="renamed", call="mindspore.ops.x", args=rule), mindspore)[argument] == expected
    )


def test_no_table_where_nothing_is_called_or_known() -> None:
    assert not rows_of(Case(verdict="none"), "(x)")
    assert not rows_of(Case(verdict="renamed", call="mindspore.ops.x"), "")
    assert not rows_of(Case(verdict="composed", helper="torch_x"), "(x)")


def test_runs_of_all_versions_stand_beside_each_other() -> None:
    page = reference_page("torch.cat", CPU, load_index()) or ""
    (heading,) = [line for line in page.splitlines() if line.startswith("| what is written")]
    assert all(f"{version} CPU, PyNative" in heading for version in collected_versions())
    assert f"{CPU.version} CPU, graph mode" in heading
    assert "agrees, " in page
    assert "scripts/run_oracles.py mappings/torch/cat.yaml" in page


def test_a_version_without_the_name_says_so() -> None:
    # `mint.cat` came with 2.4; what is newer than a version is not there in it.
    index = load_index()
    pages = [
        reference_page(name, CPU, index) or "" for name in ("torch.special.bessel_j0", "torch.nn.Linear")
    ]
    assert any("not there" in page or "not run" in page for page in pages)


@pytest.mark.parametrize("name", ["torch.lobpcg", "torch.compile"])
def test_names_without_a_replacement_have_no_tables(name: str) -> None:
    page = reference_page(name, CPU, load_index()) or ""
    assert page.startswith(f"# {name}\n")
    assert "## Arguments" not in page


def test_what_is_not_judged_or_no_name() -> None:
    assert "Not judged yet" in (reference_page("torch.cat", CPU, MappingIndex.of([])) or "")
    assert reference_page("torch.no_such_name", CPU, load_index()) is None
