#!/usr/bin/env python3
"""Writes the settings of the VS Code extension from the server's settings model: the properties into its package.json,
the explanations into its package.nls.json. And all its texts in Chinese: of the manifest into package.nls.zh-cn.json,
of the code into l10n/bundle.l10n.zh-cn.json. `--check` only says whether they are fresh (exit 1 if not)."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_from_file

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "server"))

from mindport.config.schema import settings_schema  # noqa: E402
from mindport.model.language import speaking, translated  # noqa: E402
from mindport.registry.texts import translations  # noqa: E402

EXTENSION = REPOSITORY / "client-vscode"
_SAYS = "vscode.l10n.t"
_NOT_SET = "Not set: as pyproject.toml says."
_STARTED_WITH = "The server is started with it too, where mindport is installed in it."
# Only the command line makes use of these.
_NOT_FOR_EDITORS = {"jobs", "cache-dir", "unsafe-fixes", "min-severity", "fail-on", "force-exclude"}
_OWN: dict[str, dict[str, Any]] = {
    "path": {
        "type": "string",
        "default": "",
        "scope": "machine-overridable",
        "description": "The `mindport` command to start. Empty: found through `mindport.interpreter`, the active "
        "Python environment, the workspace's `.venv`, or PATH.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "Writes the messages between editor and server to the log.",
    },
}


def properties() -> dict[str, dict[str, Any]]:
    """The properties by their names without the prefix: ours, then the server's, with its defaults. The extension sends
    what a user has set and no default, so that pyproject.toml counts; none of them may be null, as the editor shows
    such ones as text to be edited."""
    schema = settings_schema()["properties"]
    settings = {
        _camel(name): _property(name, entry) for name, entry in schema.items() if name not in _NOT_FOR_EDITORS
    }
    return {"path": _OWN["path"], **settings, "trace.server": _OWN["trace.server"]}


def _property(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": entry.get("type", "string"), "default": entry["default"]}
    if "enum" in entry:
        found["enum"] = sorted(entry["enum"], key=lambda word: word != "auto")
    for key in ("items", "additionalProperties", "pattern", "minLength"):
        if key in entry:
            found[key] = entry[key]
    # A workspace that is not trusted must not name what is run.
    found["scope"] = "machine-overridable" if name == "interpreter" else "resource"
    sentences = (
        [entry["description"], _STARTED_WITH, _NOT_SET]
        if name == "interpreter"
        else [entry["description"], _NOT_SET]
    )
    found["description"] = " ".join(map(translated, sentences))
    return found


def _camel(name: str) -> str:
    return re.sub(r"-(\w)", lambda match: match[1].upper(), name)


def own_texts() -> list[str]:
    """The English texts that are the extension's alone, for the translators."""
    texts = json.loads((EXTENSION / "package.nls.json").read_text("utf-8"))
    manifest = [text for key, text in texts.items() if not key.startswith("setting.")]
    settings = [*(entry["description"] for entry in _OWN.values()), _STARTED_WITH, _NOT_SET]
    return [*manifest, *settings, *code_texts()]


def code_texts() -> list[str]:
    """What the extension's code says itself, by `vscode.l10n.t`; the rest of what it shows comes from the server."""
    found = []
    for path in sorted((EXTENSION / "src").glob("*.ts")):
        said = [text for _, text, _, _ in extract_from_file("javascript", path, keywords={_SAYS: None})]
        if len(said) != path.read_text("utf-8").count(f"{_SAYS}("):
            raise SystemExit(f"{path.name}: a text that is no plain literal cannot be translated")
        found += said
    return list(dict.fromkeys(found))


def files() -> dict[Path, str]:
    """The files as they should be."""
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    texts_file = EXTENSION / "package.nls.json"
    texts = json.loads(texts_file.read_text("utf-8")) if texts_file.is_file() else {}
    texts = {key: text for key, text in texts.items() if not key.startswith("setting.")}
    written = {}
    for name, entry in properties().items():
        texts[f"setting.{name}"] = entry["description"]
        rest = {key: value for key, value in entry.items() if key != "description"}
        written[f"mindport.{name}"] = {**rest, "markdownDescription": f"%setting.{name}%"}
    package["contributes"]["configuration"]["properties"] = written
    return {
        EXTENSION / "package.json": _json(package),
        texts_file: _json(texts),
        EXTENSION / "package.nls.zh-cn.json": _json(_chinese(texts)),
        EXTENSION / "l10n" / "bundle.l10n.zh-cn.json": _json(_chinese_code_texts()),
    }


def _chinese(texts: dict[str, str]) -> dict[str, str]:
    with speaking(translations("zh-cn")):
        settings = {
            f"setting.{name}": translated(entry["description"]) for name, entry in properties().items()
        }
        return {key: settings.get(key) or translated(text) for key, text in texts.items()}


def _chinese_code_texts() -> dict[str, str]:
    with speaking(translations("zh-cn")):
        return {text: translated(text) for text in code_texts()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` only name what is not fresh."""
    stale = [(path, text) for path, text in files().items() if not _is(path, text)]
    for path, text in stale:
        if "--check" in arguments:
            print(f"{path.name} is not fresh: run scripts/build_vscode_settings.py")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            print(f"wrote {path.name}")
    return 1 if stale and "--check" in arguments else 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
