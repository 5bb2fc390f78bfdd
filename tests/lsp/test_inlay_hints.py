"""Hints in the lines: the arguments that a call leaves out where MindSpore has another default, and what a run showed a
call to give. None that nobody asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient

from mindport.config.settings import DEFAULT_TRACE
from mindport.usage.seen.run import digest_of

SETTINGS = {"device": "CPU", "targetVersion": "2.10.0", "inlayHints": True}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


def hints(client: InnerClient, uri: str, wanted: Any = WHOLE) -> list[tuple[int, int, str]]:
    answer = client.result("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": wanted})
    return [(one["position"]["line"], one["position"]["character"], one["label"]) for one in answer]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("nn.LeakyReLU()", (13, "negative_slope=0.01 (MindSpore: 0.2)")),
        ("'🚀', nn.LeakyReLU()", (19, "negative_slope=0.01 (MindSpore: 0.2)")),
        ("nn.LeakyReLU(0.01)", None),
        ("nn.LeakyReLU(negative_slope=0.1)", None),
        ("nn.LeakyReLU(*slopes)", None),
        ("nn.LeakyReLU", None),
        ("nn.ReLU()", None),
        ("own.LeakyReLU()", None),
    ],
)
def test_defaults_that_differ(
    client: InnerClient, tmp_path: Path, line: str, expected: tuple[int, str] | None
) -> None:
    uri = (tmp_path / "net.py").as_uri()
    client.start(initializationOptions=SETTINGS)
    client.open(uri, f"import own\nimport torch.nn as nn\n{line}\n")
    assert hints(client, uri) == ([] if expected is None else [(2, *expected)])


def test_of_the_lines_that_are_asked_for(client: InnerClient, tmp_path: Path) -> None:
    uri = (tmp_path / "net.py").as_uri()
    client.start(initializationOptions=SETTINGS)
    client.open(uri, "import torch.nn as nn\n" + "nn.LeakyReLU()\n" * 20)
    asked = {"start": {"line": 4, "character": 0}, "end": {"line": 6, "character": 99}}
    assert [line for line, *_ in hints(client, uri, asked)] == [4, 5, 6]


def test_none_by_themselves(client: InnerClient, tmp_path: Path) -> None:
    uri = (tmp_path / "net.py").as_uri()
    client.start(initializationOptions={**SETTINGS, "inlayHints": False})
    client.open(uri, "import torch.nn as nn\nnn.LeakyReLU()\n")
    assert hints(client, uri) == []


def test_what_a_run_showed_a_call_to_give(client: InnerClient, tmp_path: Path) -> None:
    text = "import torch\n\nx = torch.ones(2, 3)\ny = torch.ones(2)\n"
    tensor = {"types": ["torch.Tensor"], "tensor": {"dtypes": ["torch.float32"], "shape": [2, None]}}
    call = {"place": [3, 4, 3, 20], "name": "torch.ones", "times": 2, "result": tensor}
    trace = {
        "format": 1, "mindport": "0", "command": ["net.py"], "python": "3.11", "torch": "2.13", "has_columns": True,
        "ending": "exit", "steps": 0, "seconds": 1, "files": {"net.py": {"sha256": digest_of(text), "calls": [call]}},
    }  # fmt: skip
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n")
    (tmp_path / "net.py").write_text(text)
    (tmp_path / DEFAULT_TRACE).parent.mkdir()
    (tmp_path / DEFAULT_TRACE).write_text(json.dumps(trace))
    uri = (tmp_path / "net.py").as_uri()
    client.start(initializationOptions=SETTINGS)
    client.open(uri, text)
    client.published(uri)
    assert hints(client, uri) == [(2, 20, "-> float32[2, *]")]
    client.change(uri, 2, {"text": text + "\n"})
    assert hints(client, uri) == []
