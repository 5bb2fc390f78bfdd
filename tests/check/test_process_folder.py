"""The processes of a large run look for no modules in the folder that the user is in: it may hold a `typing.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = """\
import sys
if __name__ == "__main__":
    import mindport.checking.project as project
    from mindport.cli.main import main
    project.START_METHOD, project.CHARACTERS_FOR_PROCESSES = {method!r}, 0
    sys.exit(main(["check", ".", "--no-cache", "--jobs", "2", "--device", "CPU"]))
"""
MODULES = ["multiprocessing", "typing", "random", "pickle", "sitecustomize", "mindport", "msgspec"]


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_no_module_of_the_folder_is_imported(method: str, tmp_path: Path) -> None:
    if method == "fork" and sys.platform != "linux":
        pytest.skip("processes are forked on Linux only")
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.py").write_text("import torch\ny = torch.relu(x)\nz = torch.no_such_name\n")
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'a').write({name!r})\n")
    script = tmp_path / "run.py"
    script.write_text(RUN.format(method=method))
    done = subprocess.run(
        [sys.executable, str(script)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stdout.count("torch.no_such_name") >= 2 and done.returncode == 1, done.stderr
    assert not (tmp_path / "was-run").exists()
