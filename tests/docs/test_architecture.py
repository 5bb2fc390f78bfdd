"""docs/architecture.md names the layers as the code has them, and no module or folder that is gone."""

from __future__ import annotations

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))

from website.rooms import PACKAGE, drawing, layers, rooms_pages  # noqa: E402

PAGE = (REPOSITORY / "docs" / "architecture.md").read_text("utf-8")
PARTS = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if not path.name.startswith("_")}
# What each layer offers is told under its name; these are told with others.
TOLD_ELSEWHERE = {"api", "model", "prove"}


def test_drawing_has_the_layers_of_the_contract() -> None:
    (block,) = re.findall(r"^```\n(.*?)^```$", PAGE.partition("## ")[0], re.MULTILINE | re.DOTALL)
    drawn = [re.split(r"\s{2,}", line)[0] for line in block.splitlines() if not line.startswith(" ")]
    assert [[name.strip() for name in line.split("|")] for line in drawn] == layers()


def test_every_part_of_the_package_is_a_layer() -> None:
    named = {name for row in layers() for name in row}
    assert PARTS - {"py.typed", "probes"} == named


def test_every_layer_is_told() -> None:
    told = {
        word.strip()
        for line in re.findall(r"^\*\*([\w, |and]+)\*\*", PAGE, re.MULTILINE)
        for word in re.split(r"[,|]| and ", line)
    }
    assert {name for row in layers() for name in row} - told - TOLD_ELSEWHERE == set()


def test_names_of_modules_are_those_of_the_code() -> None:
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    known = {module.rpartition(".")[2] for module in modules}
    layer_names = "|".join(sorted(PARTS - {"py.typed"}))
    for name in re.findall(rf"`((?:{layer_names})\.[a-z_.]+)", PAGE):
        owner, _, last = name.rstrip(".").rpartition(".")
        assert name.rstrip(".") in modules or owner in modules or last in known, name


def test_page_of_rooms_has_every_module() -> None:
    page = "".join(rooms_pages("layers.svg").values())
    for path in PACKAGE.rglob("*.py"):
        if not path.name.startswith("_"):
            assert f"`{path.relative_to(PACKAGE)}`" in page, path
    assert drawing().count("<rect") == sum(map(len, layers()))
