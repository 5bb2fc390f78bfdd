"""What a project uses of timm comes along in one module, which is fixed with the project."""

import ast

import pytest

from mindport.checking.fixing import fix_paths
from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version

CPU = Target(Version(2, 10, 0), Device.CPU)
NET = """import torch.nn as nn
from timm.models.layers import DropPath, Mlp  # 层 🙂


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = Mlp(4, 8, drop=0.1)
        self.drop = DropPath(0.1)

    def forward(self, x):
        return x + self.drop(self.mlp(x))
"""
SCHEDULE = (
    "from timm.scheduler import CosineLRScheduler\n\n\ndef made(o):\n    return CosineLRScheduler(o, 10)\n"
)


def fixed(tmp_path, monkeypatch, files, unsafe=True):
    """The files after their fixes, by their paths, and which of them are new."""
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    found = list(fix_paths(sorted(files), Settings(), CPU, ".", allow_dirty=True, unsafe=unsafe))
    places = {file.path.removeprefix(f"{tmp_path}/"): file for file in found}
    assert all(file.problem is None for file in found)
    return {name: file.after.text for name, file in places.items()}, {
        n for n, f in places.items() if f.is_new
    }


@pytest.mark.parametrize("is_absolute", [False, True])
def test_the_module_is_named_as_the_files_are(tmp_path, monkeypatch, is_absolute):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "网.py").write_text(NET, "utf-8")
    start = f"{tmp_path}/" if is_absolute else ""
    found = fix_paths([f"{start}网.py"], Settings(), CPU, ".", allow_dirty=True, unsafe=True)
    assert {file.path for file in found} == {f"{start}网.py", f"{start}timm_parts.py"}


@pytest.mark.parametrize(
    ("folder", "files", "statement"),
    [
        ("", {"net.py": NET, "train.py": "from net import Net\n" + SCHEDULE}, "from timm_parts import"),
        (
            "pkg/",
            {
                "pkg/__init__.py": "from .net import Net\n",
                "pkg/net.py": NET,
                "pkg/schedule.py": "from .net import Net\n" + SCHEDULE,
            },
            "from .timm_parts import",
        ),
    ],
)
def test_one_module_for_a_project(tmp_path, monkeypatch, folder, files, statement):
    after, new = fixed(tmp_path, monkeypatch, files)
    parts = f"{folder}timm_parts.py"
    assert parts in new
    names = {
        node.name
        for node in ast.parse(after[parts]).body
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    }
    assert {"DropPath", "drop_path", "Mlp", "CosineLRScheduler"} <= names
    assert "VisionTransformer" not in names
    assert "torch." not in after[parts] and "nn.Cell" in after[parts]
    assert f"{statement} DropPath, Mlp  # 层 🙂\n" in after[f"{folder}net.py"]
    assert all("from timm." not in text for text in after.values())


def test_what_is_there_under_that_name_stays(tmp_path, monkeypatch):
    files = {"net.py": NET, "timm_parts.py": "MINE = 1\n"}
    after, new = fixed(tmp_path, monkeypatch, files)
    assert after["timm_parts.py"] == "MINE = 1\n"
    assert "from timm.models.layers import DropPath, Mlp" in after["net.py"]
    assert "timm_parts.py" not in new


def test_safe_fixes_bring_nothing_along(tmp_path, monkeypatch):
    after, new = fixed(tmp_path, monkeypatch, {"net.py": NET}, unsafe=False)
    assert "from timm.models.layers import DropPath, Mlp" in after["net.py"]
    assert not new
