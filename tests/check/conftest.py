"""A project folder in a temporary place, and a target that is always the same."""

import pytest

from mindport.config.settings import Settings
from mindport.model.target import Device, Target, Version


@pytest.fixture
def target():
    return Target(Version(2, 10), Device.CPU)


@pytest.fixture
def settings():
    return Settings()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Writes files (name -> text or bytes) and gives their names; the current directory is the folder."""
    monkeypatch.chdir(tmp_path)

    def write(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(files)

    return write
