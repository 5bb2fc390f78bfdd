"""Which files are read besides the checked ones because they use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.checking import callers
from mindport.checking.callers import files_that_use
from mindport.config.settings import Settings
from mindport.source.discovery import full_path

PENALTY = "import torch\ndef penalty(f, x):\n    return torch.autograd.grad(f(x), x, create_graph=True)\n"
FILES = {
    "critic.py": "class Critic:\n    pass  # 评论家 🚀\n",
    "train.py": "from critic import Critic\nfrom penalty import penalty\n",
    "main.py": "import train\n",
    "penalty.py": PENALTY,
    "other.py": "import torch\n",
    "deep/__init__.py": "",
    "deep/layers.py": "x = 1\n",
    "deep/user.py": "from . import layers\n",
}


@pytest.fixture
def using(tmp_path: Path):
    """The files that are read for one of a project, by their names in it."""

    def find(name: str, changes: dict[str, str] | None = None, settings: Settings | None = None) -> list[str]:
        for path, text in {**FILES, **(changes or {})}.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        file = tmp_path / name
        root = full_path(str(tmp_path))
        found = files_that_use({full_path(str(file)): file.read_text("utf-8")}, root, settings or Settings())
        return [str(Path(path).relative_to(root)) for path in found]

    return find


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("critic.py", ["main.py", "train.py"]),
        ("penalty.py", ["main.py", "train.py"]),
        ("train.py", ["main.py"]),
        ("main.py", []),
        # Nothing near them takes a gradient of a gradient.
        ("other.py", []),
        ("deep/layers.py", []),
    ],
)
def test_users_of_a_file(using, name, found):
    assert using(name) == found


def test_nothing_is_followed_where_nothing_differentiates_twice(using, monkeypatch):
    monkeypatch.setattr(callers, "import_edges", lambda *_: pytest.fail("imports were followed"))
    assert using("critic.py", {"penalty.py": PENALTY.replace("create_graph", "retain_graph")}) == []


def test_what_the_settings_exclude_is_not_read(using):
    assert using("critic.py", settings=Settings(extend_exclude=("main.py",))) == ["train.py"]


def test_of_a_large_project_the_folders_around_are_read(using):
    near = {"deep/penalty.py": PENALTY, "deep/user.py": "from . import layers, penalty\n"}
    assert using("deep/layers.py", near) == ["deep/user.py"]
    large = {**near, "large.py": "#" * callers.MOST_CHARACTERS}
    assert using("deep/layers.py", large) == ["deep/user.py"]
    assert using("critic.py", large) == []


def test_a_file_outside_the_project(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("import a\n" + PENALTY)
    (tmp_path / "root").mkdir()
    found = files_that_use(
        {full_path(str(tmp_path / "a.py")): "x = 1\n"}, full_path(str(tmp_path / "root")), Settings()
    )
    assert list(found) == [full_path(str(tmp_path / "b.py"))]


def test_what_cannot_be_read_is_left_out(using, tmp_path):
    (tmp_path / "bad.py").write_bytes(b"import critic\n\xff\xfe\x00")
    assert using("critic.py") == ["main.py", "train.py"]
