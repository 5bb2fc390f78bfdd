"""The settings of the VS Code extension are those of the server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mindport.cli.main import main
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


def test_every_setting_can_be_set_in_the_editors_own_page() -> None:
    """Of a setting that may be null VS Code shows a link to its JSON in place of a field or a list."""
    for name, entry in package()["contributes"]["configuration"]["properties"].items():
        assert entry["type"] in ("string", "boolean", "number", "array", "object"), name
        assert None not in entry.get("enum", []), name
        assert entry["default"] is not None, name


def test_defaults_are_those_of_the_server() -> None:
    properties = package()["contributes"]["configuration"]["properties"]
    own = {"mindport.path", "mindport.trace.server"}
    told = {
        name.removeprefix("mindport."): one["default"] for name, one in properties.items() if name not in own
    }
    taken = editor_settings(told)
    defaults = msgspec.to_builtins(Settings(), str_keys=True)
    assert taken is not None and len(taken) == len(told)
    assert {name: list(value) if isinstance(value, tuple) else value for name, value in taken.items()} == {
        name: list(defaults[name]) if isinstance(defaults[name], tuple) else defaults[name] for name in taken
    }


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


def test_the_problem_matcher_reads_what_check_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a b.py").write_text(
        "import torch\nx = torch.qr(torch.linalg.ldl_factor(torch.std(y)))\nz = 1  # mindport: ignore\n"
    )
    main(["check", "--device", "CPU", "--min-severity", "hint", "--no-cache", "."])
    written = capsys.readouterr().out.splitlines()
    (matcher,) = package()["contributes"]["problemMatchers"]
    pattern = matcher["pattern"]
    found = [match for line in written if (match := re.match(pattern["regexp"], line))]
    assert len(found) == sum(" MP" in line.partition(": ")[2][:20] for line in written) > 3
    for match in found:
        assert match[pattern["file"]] == "a b.py" and match[pattern["severity"]] in (
            "error",
            "warning",
            "hint",
        )
        assert int(match[pattern["line"]]) in (1, 2, 3) and match[pattern["code"]].startswith("MP")
        assert not match[pattern["message"]].startswith("[")
    assert not any(
        re.match(pattern["regexp"], line) for line in written if line.startswith(("Target", "Fixable"))
    )
