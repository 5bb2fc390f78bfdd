"""The wheel, the sdist and an editable install all carry the mappings and the facts, and the command runs from each;
two builds are the same, and neither a network nor a framework is needed."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.distribution


def run(*command: str | Path, cwd: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHONPATH", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A wheel and an sdist, built from a clean copy of what git tracks."""
    source = tmp_path_factory.mktemp("source")
    tracked = run("git", "ls-files", "-z", cwd=REPOSITORY).split("\0")
    for name in filter(None, tracked):
        origin = REPOSITORY / name
        if origin.is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(origin.read_bytes())
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, source, cwd=source)
    return {"wheel": next(out.glob("*.whl")), "sdist": next(out.glob("*.tar.gz")), "source": source}


def test_a_wheel_that_is_built_later_and_elsewhere_is_the_same(
    distributions: dict[str, Path], tmp_path: Path
) -> None:
    """The first was built from the sdist, this one from the source, whose files have other times."""
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, distributions["source"], cwd=tmp_path)
    (again,) = tmp_path.glob("*.whl")
    first, second = (
        {item.filename: (item.CRC, item.date_time) for item in zipfile.ZipFile(wheel).infolist()}
        for wheel in (distributions["wheel"], again)
    )
    assert [name for name in {**first, **second} if first.get(name) != second.get(name)] == []
    assert again.read_bytes() == distributions["wheel"].read_bytes()


def test_wheel_holds_mappings_and_compiled_data(distributions: dict[str, Path]) -> None:
    names = zipfile.ZipFile(distributions["wheel"]).namelist()
    assert any(name.startswith("mindport/_mappings/torch/") and name.endswith(".yaml") for name in names)
    assert any(name.startswith("mindport/_mappings/_compiled/") for name in names)
    assert any(name.startswith("mindport/_mappings/_frameworks/") for name in names)
    assert "mindport/_mappings/_compiled/texts.zh_CN.mo" in names


def test_sdist_holds_mappings_and_tests(distributions: dict[str, Path]) -> None:
    with tarfile.open(distributions["sdist"]) as archive:
        names = [name.split("/", 1)[-1] for name in archive.getnames()]
    assert any(name.startswith("mappings/torch/") for name in names)
    assert "server/mindport/cli/main.py" in names
    assert "LICENSE" in names


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_command_answers_from_a_fresh_environment(
    kind: str, distributions: dict[str, Path], tmp_path: Path
) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    what = ["--editable", distributions["source"]] if kind == "editable" else [distributions[kind]]
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, cwd=tmp_path)
    command = tmp_path / "env" / "bin" / "mindport"
    assert "mindspore.nn.Dropout" in run(command, "explain", "torch.nn.Dropout", cwd=tmp_path)
    (tmp_path / "net.py").write_text("import torch\ny = torch.cat([x, x], dim=1)\n", encoding="utf-8")
    assert '"api":"torch.cat"' in run(
        command, "inventory", "--output-format", "jsonl", "net.py", cwd=tmp_path
    ).replace(" ", "")


def test_installs_and_works_without_a_network_and_without_the_frameworks(
    distributions: dict[str, Path], tmp_path: Path
) -> None:
    wheels = tmp_path / "wheels"
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "-w", wheels, distributions["wheel"], cwd=tmp_path)
    venv.create(tmp_path / "env", with_pip=True)
    python, command = (tmp_path / "env" / "bin" / name for name in ("python", "mindport"))
    alone = ["--isolated", "--no-index", "--find-links", wheels]
    run(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *alone,
        "mindport",
        cwd=tmp_path,
    )
    (tmp_path / "net.py").write_text("import torch\ny = torch.cat([x, x], dim=1)\n", encoding="utf-8")
    target = ["--target-version", "2.10", "--device", "CPU"]
    found = run(command, "check", "--exit-zero", "--min-severity", "hint", *target, "net.py", cwd=tmp_path)
    assert "torch.cat" in found
    run(command, "fix", "--unsafe-fixes", *target, "net.py", cwd=tmp_path)
    assert "ops.cat([x, x], axis=1)" in (tmp_path / "net.py").read_text("utf-8")
    missing = (
        "import importlib.util as u; print([n for n in ('torch', 'mindspore', 'numpy') if u.find_spec(n)])"
    )
    assert run(python, "-c", missing, cwd=tmp_path) == "[]\n"
    assert "evidence of 20" in run(command, "--version", cwd=tmp_path)
