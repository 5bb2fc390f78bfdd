"""A single quick fix imports a helper from the project's module of helpers where that has it, as `fix` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from language_client import SETTINGS, InnerClient, applied, edits_of, place

from mindport.rewrite.helper_module import with_helpers_added

TEXT = "import torch\n\n\ndef f(x):\n    return torch.cumprod(x, 1), torch.cumprod(x, 0)\n"
FIXED = (
    "import torch\nfrom torch_equivalents import torch_cumprod\n\n\ndef f(x):\n"
    "    return torch_cumprod(x, 1), torch.cumprod(x, 0)\n"
)
RESOLVING = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


def fixed(client: InnerClient, path: Path, text: str, title: str = "Replace", **options: Any) -> str:
    """The text after a quick fix of its first `torch.cumprod`: the first one whose title begins so."""
    uri = path.as_uri()
    client.start(RESOLVING, rootUri=path.parent.as_uri(), initializationOptions={**SETTINGS, **options})
    client.open(uri, text)
    client.published(uri)
    number, line = next(row for row in enumerate(text.splitlines()) if "torch.cumprod" in row[1])
    offered = client.actions(uri, place(number, line.index("torch.cumprod") + 8))
    action = next(one for one in offered if one["title"].startswith(title))
    return applied(text, edits_of(client.result("codeAction/resolve", action), uri))


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Where a script is that no file has yet, beside a module that has the helper."""
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n", "utf-8")
    (tmp_path / "torch_equivalents.py").write_text(with_helpers_added("", ["torch_cumprod"]), "utf-8")
    return tmp_path / "script.py"


def test_helper_is_imported(client: InnerClient, script: Path) -> None:
    assert fixed(client, script, TEXT) == FIXED


def test_helper_is_imported_once(client: InnerClient, script: Path) -> None:
    assert fixed(client, script, FIXED) == FIXED.replace("torch.cumprod(x, 0)", "torch_cumprod(x, 0)")


def test_every_use_of_an_api(client: InnerClient, script: Path) -> None:
    wanted = FIXED.replace("torch.cumprod", "torch_cumprod").removeprefix("import torch\n")
    assert fixed(client, script, TEXT, "Fix all `torch.cumprod`") == wanted


def test_line_ends_stay(client: InnerClient, script: Path) -> None:
    assert fixed(client, script, TEXT.replace("\n", "\r\n")) == FIXED.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("module", "name", "options"),
    [
        ("torch_equivalents", "torch_cumprod", {"helperModule": ""}),
        ("torch_equivalents", "torch_cumprod", {"helperModule": "ports"}),
        ("torch_equivalents", "TorchGELU", {}),  # the module has other helpers
        ("elsewhere", "torch_cumprod", {}),
    ],
)
def test_helper_stays_in_the_file(
    client: InnerClient, script: Path, module: str, name: str, options: dict[str, Any]
) -> None:
    (script.parent / "torch_equivalents.py").unlink()
    script.with_name(f"{module}.py").write_text(with_helpers_added("", [name]), "utf-8")
    text = fixed(client, script, TEXT, **options)
    assert "def torch_cumprod(" in text
    assert "from torch_equivalents" not in text
