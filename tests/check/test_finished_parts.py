"""What was found out about one part of a run is gone when its last file is reported: memory goes with the largest part,
not with the project."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from mindport.checking import project
from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version

CPU = Target(Version(2, 10, 0), Device.CPU)
PART = "import torch\n\n\nclass Net{0}(torch.nn.Module):\n    def forward(self, x):\n        return x.view(1, -1)\n"


@pytest.mark.thorough
@pytest.mark.parametrize("order", [list, lambda files: files[::-1], lambda files: files[::2] + files[1::2]])
def test_a_part_that_is_done_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order) -> None:
    for number in range(6):
        package = tmp_path / f"package{number}"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "net.py").write_text(PART.format(number))
        (package / "run.py").write_text(f"from package{number}.net import Net{number}\nNet{number}()\n")
    made: list[weakref.ref[object]] = []
    original = project.project_of

    def watched(*given: object) -> object:
        one = original(*given)
        made.append(weakref.ref(one))
        return one

    monkeypatch.setattr(project, "project_of", watched)
    monkeypatch.setattr(project, "_CHARACTERS_BEFORE_A_LOOK", 0)
    files = order(sorted(map(str, tmp_path.rglob("*.py"))))
    left = {f"package{number}": 3 for number in range(6)}
    gc.disable()
    try:
        for report in check_paths(files, Settings(jobs=1), CPU, str(tmp_path), use_cache=False):
            left[Path(report.path).parent.name] -= 1
            alive = sum(one() is not None for one in made)
            assert alive <= sum(0 < count < 3 for count in left.values()) + 1
    finally:
        gc.enable()
    assert len(made) == 6


@pytest.mark.parametrize(("changed", "looks"), [(3, 2), (1, 0), (0, 0)])
def test_room_is_made_for_parts_that_are_still_to_be_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: int, looks: int
) -> None:
    files = [tmp_path / f"part{number}.py" for number in range(3)]
    for number, file in enumerate(files):
        file.write_text(PART.format(number))
    names = list(map(str, files))
    list(check_paths(names, Settings(jobs=1), CPU, str(tmp_path)))
    for file in files[:changed]:
        file.write_text(f"{file.read_text()}\n# changed\n")
    taken: list[int] = []
    monkeypatch.setattr(project, "_CHARACTERS_BEFORE_A_LOOK", 0)
    monkeypatch.setattr(gc, "collect", lambda: taken.append(1))
    list(check_paths(names, Settings(jobs=1), CPU, str(tmp_path)))
    assert len(taken) == looks
