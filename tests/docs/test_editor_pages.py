"""The pages about editors: each is in the index, what they show can be read, and the template for PyCharm holds
together. That the configurations work is tested in tests/editors."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from mindport.config.load import load_settings
from mindport.config.settings import Settings
from mindport.lsp.editor_settings import editor_settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted((DOCS / "editors").glob("*.md"))
TEMPLATE = DOCS / "editors" / "lsp4ij"
# The names that each program reads, from the sources of LSP4IJ and of Sublime's LSP package (August 2026) and from
# Zed's documentation. What is not among them would be passed over in silence.
LSP4IJ_TEMPLATE = {
    *("id", "name", "programArgs", "fileTypeMappings", "languageMappings"),
    *("env", "expandConfiguration", "disablePromotionFor"),
}
LSP4IJ_SYSTEMS = {"default", "windows", "mac", "unix"}
LSP4IJ_INSTALLER = {"id", "name", "executeOnStartServer", "properties", "check", "run"}
LSP4IJ_EXEC = {"name", "command", "workingDir", "ignoreStderr", "timeout", "onSuccess", "onFail"}
SUBLIME_CLIENT = {
    *("enabled", "command", "selector", "priority_selector", "schemes", "settings", "env", "tcp_port"),
    *("initializationOptions", "initialization_options", "diagnostics_mode", "disabled_capabilities"),
    *("experimental_capabilities", "auto_complete_selector", "file_watcher", "semantic_tokens"),
}
ZED_SERVER = {"binary", "initialization_options", "settings", "enable_lsp_tasks"}
# How pages show a setting in passing, each in its editor's language.
SHOWN = re.compile(r"""[:'"]?\b([A-Za-z-]+)['"]?\s*[:=]?\s*['"](?:Ascend|2\.10)['"]""")


def assert_are_settings(sent: object) -> None:
    """That the server takes what an editor would send."""
    settings = editor_settings(sent)
    assert settings
    load_settings("/", settings, "the page")


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of code in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_index_has_every_page() -> None:
    index = (DOCS / "editors.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\(editors/(\w+\.md)\)", index)) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_can_be_read(page: Path) -> None:
    for text in blocks(page, "json"):
        json.loads(text)
    for text in blocks(page, "toml"):
        tomllib.loads(text)
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_settings_in_passing_are_settings(page: Path) -> None:
    names = set(SHOWN.findall(page.read_text(encoding="utf-8")))
    for name in names:
        assert_are_settings({name: "Ascend" if name == "device" else "2.10"})
    assert names or page.stem in ("vscode", "sublime", "zed")


def test_sublime() -> None:
    (text,) = blocks(DOCS / "editors" / "sublime.md", "json")
    shown = json.loads(text)
    client = shown["clients"]["mindport"]
    assert set(client) <= SUBLIME_CLIENT
    assert client["command"] == ["mindport", "server"]
    assert_are_settings(client["initializationOptions"])
    assert shown["lsp_code_actions_on_save"] == {"source.fixAll.mindport": True}


def test_zed() -> None:
    (text,) = blocks(DOCS / "editors" / "zed.md", "json")
    shown = json.loads(text)
    ((name, server),) = shown["lsp"].items()
    assert set(server) <= ZED_SERVER
    assert [server["binary"]["path"], *server["binary"]["arguments"]] == ["mindport", "server"]
    assert_are_settings(server["initialization_options"])
    assert shown["languages"]["Python"]["language_servers"][0] == name


def test_pycharm() -> None:
    (text,) = blocks(DOCS / "editors" / "pycharm.md", "json")
    shown = json.loads(text)
    assert set(shown) == {"mindport"}
    assert_are_settings(shown)


def test_template_has_the_files_that_lsp4ij_reads() -> None:
    read = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(TEMPLATE.glob("*.json"))
    }
    assert set(read) == {
        "template.json",
        "installer.json",
        "settings.json",
        "settings.schema.json",
        "initializationOptions.json",
        "clientSettings.json",
    }
    template = read["template.json"]
    assert set(template) <= LSP4IJ_TEMPLATE
    assert {"name", "programArgs"} <= set(template)
    assert "default" in template["programArgs"]
    assert set(template["programArgs"]) <= LSP4IJ_SYSTEMS
    commands = template["programArgs"].values()
    assert all(" ".join(shlex.split(command)).endswith("mindport server") for command in commands)
    assert [one["languageId"] for one in template["fileTypeMappings"]] == ["python"]
    (mapping,) = template["fileTypeMappings"]
    assert set(mapping["fileType"]) <= {"name", "patterns"}
    assert "*.py" in mapping["fileType"]["patterns"]
    installer = read["installer.json"]
    assert set(installer) <= LSP4IJ_INSTALLER
    for step in ("check", "run"):
        assert {"name", "command"} <= set(installer[step]["exec"]) <= LSP4IJ_EXEC
        assert set(installer[step]["exec"]["command"]) <= LSP4IJ_SYSTEMS
    # pip warns on its standard error; Debian lets nobody install into its own Python, not even with `--user`.
    assert installer["run"]["exec"]["ignoreStderr"] is True
    assert "venv" in installer["run"]["exec"]["command"]["default"]
    configured = installer["run"]["exec"]["onSuccess"]["configureServer"]["command"]
    assert configured["default"].endswith("/venv/bin/mindport server")
    known = read["settings.schema.json"]["properties"]["mindport"]["properties"]
    assert set(read["settings.json"]["mindport"]) <= set(known)
    assert set(known) == {field.encode_name for field in msgspec.structs.fields(Settings)}
