"""The target of a run: what settings, project files and machine say, and which of them is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindport.config.requirement import required_mindspore
from mindport.config.settings import Settings
from mindport.config.target import NEWEST_KNOWN, HostMachine, resolve_target
from mindport.model.target import Device, Mode, Version

BARE = HostMachine({}, ascend_places=(), cuda_places=())

# file, content, version that follows, words of the reason
PINS = [
    ("requirements.txt", "torch\nmindspore==2.3.0\n", "2.3.0", "pinned by requirements.txt:2"),
    ("requirements.txt", "mindspore>=2.2,<2.5  # ok\n", "2.2.0", "the oldest that requirements.txt:1 allows"),
    ("requirements.txt", "mindspore<2.5\n", "2.4.0", "the newest that requirements.txt:1 allows"),
    ("requirements.txt", "mindspore<=2.5\n", "2.5.0", "the newest that"),
    ("requirements.txt", "mindspore~=2.4.1\n", "2.4.1", "the oldest"),
    ("requirements.txt", "mindspore~=2.3.0,!=2.3.0\nnumpy\n", "2.3.1", "the oldest"),
    ("requirements.txt", "mindspore~=2.3,!=2.3.0\n", "2.4.0", "the oldest"),
    ("requirements.txt", "mindspore>2.3.0\n", "2.4.0", "the oldest"),
    ("requirements.txt", "mindspore>=2.2,!=2.2.0\n", "2.3.0", "the oldest"),
    ("requirements.txt", "mindspore==2.3.*\n", "2.3.0", "pinned"),
    ("requirements.txt", "MindSpore_Ascend == 2.1.1 ; python_version > '3.7'\n", "2.1.1", "pinned"),
    ("requirements.txt", "numpy\n\n# mindspore==2.3.0\n", None, ""),
    ("requirements.txt", "mindspore\n", None, ""),
    ("requirements.txt", "mindspore-lite==2.3.0\nmindsporehub==1.0\nx.mindspore==1.0\n", None, ""),
    ("requirements.txt", "mindspore!=2.3.0\n", None, ""),
    ("requirements.txt", "mindspore @ https://host/mindspore-2.3.0-cp311.whl\n", None, ""),
    ("requirements-dev.txt", "mindspore==2.6.0\n", "2.6.0", "requirements-dev.txt:1"),
    ("requirements/run.txt", "mindspore==2.6.0\n", "2.6.0", "requirements/run.txt:1"),
    (
        "pyproject.toml",
        "[project]\ndependencies = ['mindspore>=2.2', 'numpy==1.26']\n",
        "2.2.0",
        "pyproject.toml:2",
    ),
    ("pyproject.toml", '[tool.poetry.dependencies]\nmindspore = "^2.3"\n', "2.3.0", "the oldest"),
    ("pyproject.toml", '[tool.poetry.dependencies]\nmindspore = {version = "2.3"}\n', "2.3.0", "pinned"),
    ("setup.cfg", "[options]\ninstall_requires =\n    mindspore>=2.4\n", "2.4.0", "setup.cfg:3"),
    ("setup.py", "setup(install_requires=['mindspore==2.5.0', 'torch==2.9.0'])\n", "2.5.0", "setup.py:1"),
    (
        "environment.yml",
        "dependencies:\n  - torch=2.9\n  - mindspore=2.3.1=py39\n",
        "2.3.1",
        "environment.yml:3",
    ),
]


@pytest.mark.parametrize(("name", "content", "version", "reason"), PINS)
def test_requirements(name: str, content: str, version: str | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    if version is None:
        assert required_mindspore(tmp_path) is None
        return
    target, reasons = resolve_target(Settings(), tmp_path, BARE)
    assert str(target.version) == version
    assert reasons[0].startswith(f"version {version}: ")
    assert reason in reasons[0]


def test_requirements_are_read_in_a_fixed_order(tmp_path: Path) -> None:
    (tmp_path / "environment.yml").write_text("- mindspore=2.1\n")
    (tmp_path / "requirements-dev.txt").write_text("mindspore==2.2\n")
    (tmp_path / "requirements.txt").write_bytes(b"\xff\xfemindspore==2.3\n")
    found = required_mindspore(tmp_path)
    assert found is not None
    assert found.exact == Version(2, 3)


def environment(prefix: Path, folder: str, *plugins: str) -> Path:
    library = prefix / "lib" / "python3.11" / "site-packages"
    (library / folder).mkdir(parents=True)
    (prefix / "bin").mkdir(exist_ok=True)
    for plugin in plugins:
        (library / "mindspore" / "lib" / "plugin" / plugin).mkdir(parents=True)
    return prefix


def test_installed_version(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    named = environment(tmp_path / "named", "mindspore-2.4.10.dist-info")
    active = environment(tmp_path / "active", "mindspore_gpu-1.10.1.dist-info")
    unrelated = environment(tmp_path / "unrelated", "mindspore_lite-2.3.0.dist-info")
    machine = HostMachine({"VIRTUAL_ENV": str(active)}, (), ())
    settings = Settings(interpreter=str(named / "bin" / "python"))
    target, reasons = resolve_target(settings, project, machine)
    assert target.version == Version(2, 4, 10)
    assert reasons[0] == f"version 2.4.10: installed in {named}"
    assert resolve_target(Settings(), project, machine)[0].version == Version(1, 10, 1)
    environment(project / ".venv", "mindspore-2.2.0.dist-info")
    assert resolve_target(Settings(), project, BARE)[0].version == Version(2, 2, 0)
    settings = Settings(interpreter=str(unrelated))
    assert resolve_target(settings, project, machine)[0].version == NEWEST_KNOWN


def test_packages_shared_with_the_base_interpreter(tmp_path: Path) -> None:
    base = environment(tmp_path / "base", "mindspore-2.5.0.dist-info")
    for shared, expected in (("true", Version(2, 5, 0)), ("false", NEWEST_KNOWN)):
        prefix = tmp_path / shared
        prefix.mkdir()
        (prefix / "pyvenv.cfg").write_text(
            f"home = {base / 'bin'}\ninclude-system-site-packages = {shared}\n"
        )
        settings = Settings(interpreter=str(prefix))
        assert resolve_target(settings, tmp_path, BARE)[0].version == expected


def test_settings_win(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("mindspore==2.3.0\n")
    settings = Settings(device="GPU", target_version="2.9", mode="graph")
    target, reasons = resolve_target(settings, tmp_path, HostMachine({"ASCEND_HOME_PATH": "/x"}, (), ()))
    assert (target.version, target.device, target.mode) == (Version(2, 9), Device.GPU, Mode.GRAPH)
    assert reasons == ("version 2.9.0: set by target-version", "device GPU: set by device")
    assert str(target) == "MindSpore 2.9.0 on GPU, graph mode"


def test_device(tmp_path: Path) -> None:
    driver = tmp_path / "driver"
    driver.write_text("")
    toolkit = tmp_path / "Ascend"
    toolkit.mkdir()
    prefix = environment(tmp_path / "env", "mindspore-2.10.0.dist-info", "libmindspore_gpu.so.11.6")
    without = environment(tmp_path / "without", "mindspore-2.10.0.dist-info", "ascend")
    cases = [
        (HostMachine({}, (), ()), "", Device.CPU, "device CPU: no Ascend toolkit"),
        (HostMachine({"ASCEND_HOME_PATH": "/opt/a"}, (), ()), "", Device.ASCEND, "ASCEND_HOME_PATH is set"),
        (HostMachine({"ASCEND_HOME_PATH": ""}, (), ()), "", Device.CPU, "device CPU"),
        (HostMachine({}, (str(toolkit),), ()), "", Device.ASCEND, f"the toolkit is in {toolkit}"),
        (HostMachine({}, (), (str(driver),)), str(prefix), Device.GPU, "can use CUDA"),
        (HostMachine({}, (), (str(tmp_path / "no"),)), str(prefix), Device.CPU, "device CPU"),
        (HostMachine({}, (), (str(driver),)), str(without), Device.CPU, "device CPU"),
        (HostMachine({}, (str(toolkit),), (str(driver),)), str(prefix), Device.ASCEND, "toolkit"),
    ]
    for machine, interpreter, device, words in cases:
        target, reasons = resolve_target(Settings(interpreter=interpreter), tmp_path, machine)
        assert target.device is device
        assert words in reasons[1]
