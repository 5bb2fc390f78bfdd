"""Results kept between runs: what their key says of mindport itself."""

from __future__ import annotations

import os
from pathlib import Path

import mindport
from mindport.check.cache import _own_files


def installed(folder: Path, code: str) -> Path:
    """A package as an installer leaves it, with what it notes of the content of each file."""
    package = folder / "mindport"
    package.mkdir(parents=True)
    (package / "a.py").write_text(code)
    notes = folder / f"mindport-{mindport.__version__}.dist-info"
    notes.mkdir()
    (notes / "RECORD").write_text(
        f"../../bin/mindport,sha256=x,1\nmindport/a.py,sha256={hash(code)},{len(code)}\n"
    )
    return package


def test_what_is_installed_anew_is_the_same(tmp_path: Path) -> None:
    one, two = installed(tmp_path / "one", "x = 1"), installed(tmp_path / "two", "x = 1")
    os.utime(two / "a.py", (1, 1))
    assert _own_files(one) == _own_files(two) != ""
    assert _own_files(one) != _own_files(installed(tmp_path / "three", "x = 2"))


def test_what_somebody_works_on_goes_by_time(tmp_path: Path) -> None:
    (tmp_path / "mindport").mkdir()
    file = tmp_path / "mindport" / "a.py"
    file.write_text("x = 1")
    before = _own_files(tmp_path / "mindport")
    os.utime(file, (1, 1))
    assert _own_files(tmp_path / "mindport") != before
