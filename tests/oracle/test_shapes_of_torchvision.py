"""The dynamic shapes that are found in torchvision's detection models, each checked by hand, and none in classifiers.

`tests/data/dynamic_shapes.json` also lists those of YOLOX, whose source does not come as a package."""

import importlib.metadata
import importlib.util
import json
from pathlib import Path

import pytest

from mindport.usage.places import Topic
from mindport.usage.project import Project

pytestmark = pytest.mark.oracle

CHECKED = json.loads((Path(__file__).resolve().parents[1] / "data" / "dynamic_shapes.json").read_text())
SHAPES = set(Topic) - {Topic.GRAPH, Topic.SPARSE, Topic.DATA}


def test_torchvision():
    spec = importlib.util.find_spec("torchvision")
    version = importlib.metadata.version("torchvision") if spec is not None else ""
    checked = CHECKED.get(f"torchvision {version.partition('+')[0]}")
    if spec is None or checked is None:
        pytest.skip("this version was not checked by hand")
    folder = Path(next(iter(spec.submodule_search_locations))).as_posix()
    project = Project(folder)
    for path in sorted(Path(folder).rglob("*.py")):
        project.add(path.as_posix(), path.read_text())
    found = [
        f"{path.removeprefix(folder + '/')}:{place.span.line} {place.topic.value}"
        for path in sorted(project.paths())
        if path.removeprefix(folder + "/").startswith(tuple(checked["files"]))
        for place in project.usage(path).places
        if place.topic in SHAPES
    ]
    assert found == checked["right"]


@pytest.mark.parametrize("source", CHECKED)
def test_nine_of_ten_are_right(source):
    right, wrong = CHECKED[source]["right"], CHECKED[source]["wrong"]
    assert len(right) >= 9 * len(wrong) and right
    assert not any("resnet.py" in one or "vgg.py" in one for one in (*right, *wrong))
