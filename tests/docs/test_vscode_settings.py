"""The settings of the VS Code extension are those of the server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from mindport.config.settings import Settings
from mindport.lsp.editor_settings import editor_settings

REPOSITORY = Path(__file__).resolve().parents[2]


def package() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPOSITORY / "client-vscode/package.json").read_text("utf-8"))
    return found


def test_settings_are_fresh() -> None:
    command = [sys.executable, str(REPOSITORY / "scripts" / "build_vscode_settings.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def test_server_takes_the_settings_as_they_are_unset() -> None:
    properties = package()["contributes"]["configuration"]["properties"]
    sent: dict[str, object] = {}
    for name, entry in properties.items():
        first, _, rest = name.removeprefix("mindport.").partition(".")
        sent[first] = {rest: entry["default"]} if rest else entry["default"]
    assert editor_settings(sent) == {}


def test_server_knows_every_setting() -> None:
    properties = package()["contributes"]["configuration"]["properties"]
    given = {name.removeprefix("mindport."): 1 for name in properties if "." not in name[len("mindport.") :]}
    known = {field.encode_name for field in msgspec.structs.fields(Settings)}
    assert set(editor_settings(given) or ()) <= known


def test_every_text_is_there() -> None:
    texts = json.loads((REPOSITORY / "client-vscode/package.nls.json").read_text("utf-8"))
    content = json.dumps(package())
    named = {part.split('%"')[0] for part in content.split('"%')[1:]}
    assert named == set(texts)


def test_what_starts_a_program_is_restricted() -> None:
    manifest = package()
    restricted = manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert restricted == ["mindport.path", "mindport.interpreter"]
    assert "extensionDependencies" not in manifest
