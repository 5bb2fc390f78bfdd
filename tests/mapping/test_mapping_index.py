"""The compiled index finds mappings by name and follows the files they were read from."""

from __future__ import annotations

import os

import pytest

from mindport.mapping.catalogue import check_catalogue
from mindport.mapping.index import bring_up_to_date, compile_index, load_index
from mindport.mapping.names import listed_names
from mindport.mapping.validate import check_mapping

CAT = "torch: {function: [torch.cat, torch.concat]}\nsummary: %s\ncases: [{verdict: none, why: x}]\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "torch" / "nn").mkdir(parents=True)
    (tmp_path / "_frameworks").mkdir()
    (tmp_path / "torch" / "cat.yaml").write_text(CAT % "one")
    (tmp_path / "torch" / "nn" / "ReLU.yaml").write_text(
        "torch: {module: torch.nn.ReLU, method: torch.Tensor.relu}\nsummary: x\ncases: [{verdict: none, why: x}]\n"
    )
    (tmp_path / "_frameworks" / "other.yaml").write_text("no: mapping")
    yield tmp_path
    load_index.cache_clear()


def loaded(folder):
    load_index.cache_clear()
    return load_index(folder)


def test_found_by_every_name(folder):
    index = loaded(folder)
    assert set(index.names()) == {"torch.cat", "torch.concat", "torch.nn.ReLU", "torch.Tensor.relu"}
    assert index.find("torch.concat") is index.find("torch.cat")
    assert (index.form("torch.nn.ReLU"), index.form("torch.Tensor.relu")) == ("module", "method")
    assert index.file("torch.nn.ReLU") == "torch/nn/ReLU.yaml"
    assert index.find("torch.stack") is None and index.form("torch.stack") is None
    assert [file for file, _ in index.mappings()] == ["torch/cat.yaml", "torch/nn/ReLU.yaml"]


def test_only_changed_files_are_read_again(folder):
    first = bring_up_to_date(folder, None)
    assert bring_up_to_date(folder, first) is first
    path = folder / "torch" / "cat.yaml"
    path.write_text(CAT % "two")
    os.utime(path, ns=(1, 1))
    second = bring_up_to_date(folder, first)
    assert [a is b for a, b in zip(first.entries, second.entries, strict=True)] == [False, True]
    assert loaded(folder).find("torch.cat").summary == "two"
    path.unlink()
    assert set(loaded(folder).names()) == {"torch.nn.ReLU", "torch.Tensor.relu"}


def test_a_broken_file_is_left_out_and_named(folder):
    (folder / "torch" / "bad.yaml").write_text("torch: {function: torch.abs}\nsummary: 3\n")
    index = loaded(folder)
    assert index.find("torch.abs") is None and index.find("torch.cat") is not None
    assert [str(problem) for problem in index.problems] == [
        "mappings/torch/bad.yaml: summary: expected `str`, got `int`"
    ]


@pytest.mark.parametrize("content", [b"", b"garbage", b"\x93\x63\x90\x90"])
def test_a_damaged_index_is_built_again(folder, content):
    assert compile_index(folder) == 2
    (folder / "_compiled" / "index.msgpack").write_bytes(content)
    assert loaded(folder).find("torch.cat") is not None


def test_the_index_of_a_wheel_says_nothing_of_times(folder):
    compile_index(folder)
    before = (folder / "_compiled" / "index.msgpack").read_bytes()
    for path in folder.rglob("*.yaml"):
        os.utime(path, ns=(1, 1))
    compile_index(folder)
    assert (folder / "_compiled" / "index.msgpack").read_bytes() == before
    assert loaded(folder).find("torch.cat") is not None


def test_names_are_listed_once(folder):
    (folder / "torch" / "again.yaml").write_text(CAT % "x")
    files, problems = check_catalogue(folder)
    assert files == 3
    assert any("torch.cat is listed already in" in str(problem) for problem in problems)


def test_the_shipped_catalogue_is_sound():
    index = load_index()
    assert index.problems == ()
    found = [problem for file, mapping in index.mappings() for problem in check_mapping(mapping, file)]
    assert found == []
    names = [name for _, mapping in index.mappings() for name, _ in listed_names(mapping.torch)]
    assert len(names) == len(set(names))
