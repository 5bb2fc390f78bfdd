"""Libraries built on torch, documented targets, usage counts."""

from __future__ import annotations

import re

import pytest

from mindport.model.target import Version
from mindport.registry import documented_targets, mindspore_facts, torch_usage
from mindport.registry.libraries import BUILT_ON_TORCH, library_of
from mindport.registry.tables import documented_at
from mindport.usage.torch_model import TORCH_ROOTS


@pytest.mark.parametrize(
    ("dotted", "root"),
    [
        ("timm", "timm"),
        ("timm.models.layers.DropPath", "timm"),
        ("einops.layers.torch.Rearrange", "einops.layers.torch"),
        ("einops.rearrange", "einops"),
        ("horovod.torch.init", "horovod.torch"),
    ],
)
def test_library_of(dotted: str, root: str) -> None:
    library = library_of(dotted)
    assert library is not None and library.root == root
    assert library.what in str(library) and library.advice in str(library)


@pytest.mark.parametrize(
    "dotted",
    [
        "",
        "numpy.array",
        "torch.cat",
        "torchvision.ops.nms",
        "timmy",
        "horovod",
        "horovod.tensorflow",
        "albumentations.Flip",
        "cv2",
    ],
)
def test_no_library(dotted: str) -> None:
    assert library_of(dotted) is None


def test_advice_names_only_what_mindspore_has() -> None:
    facts = mindspore_facts()
    for library in BUILT_ON_TORCH.values():
        for name in re.findall(r"\bmindspore(?:\.\w+)+", library.advice):
            assert facts.has(name), (library.root, name)
    assert not BUILT_ON_TORCH.keys() & TORCH_ROOTS


def test_documented_targets() -> None:
    rows = documented_targets("torch.cat")
    assert rows[0].mindspore == "mindspore.mint.cat"
    assert rows[0].last == "master"
    assert {"mindspore.ops.cat"} <= {row.mindspore for row in rows}
    assert documented_targets("torch.nope") == ()


@pytest.mark.parametrize(
    ("name", "version", "mindspore"),
    [
        ("torch.cat", Version(1, 10), "mindspore.ops.Concat"),
        ("torch.cat", Version(1, 11), "mindspore.ops.cat"),
        ("torch.cat", Version(2, 4, 1), "mindspore.ops.cat"),
        ("torch.cat", Version(2, 5), "mindspore.mint.cat"),
        ("torch.cat", Version(2, 6, 0), "mindspore.mint.cat"),
        ("torch.cat", Version(1, 9), None),
        ("torch.nope", Version(2, 5), None),
    ],
)
def test_documented_in_one_version(name: str, version: Version, mindspore: str | None) -> None:
    row = documented_at(name, version)
    assert (row.mindspore if row else None) == mindspore


def test_usage() -> None:
    usage = torch_usage()
    assert usage["torch.nn.Linear"].uses > 1000
    assert usage["torch.nn.Linear"].packages > 10
    assert "torch.nope" not in usage
