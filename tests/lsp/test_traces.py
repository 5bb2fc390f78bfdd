"""What a run showed in the editor: it is read, never run there, and counts for the text that ran."""

from __future__ import annotations

import json
from pathlib import Path

from language_client import InnerClient

from mindport.config.settings import DEFAULT_TRACE
from mindport.usage.seen.run import digest_of

TEXT = "import torch\n\n\ndef f(x):\n    return x.size()\n"


def test_a_document_has_the_facts_of_its_text(client: InnerClient, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\ndevice = 'CPU'\nshow-hints = true\n")
    (tmp_path / "net.py").write_text(TEXT)
    seen = {"types": ["torch.Tensor"], "tensor": {"dtypes": ["torch.float32"], "shape": [2, 3]}}
    function = {"name": "f", "line": 4, "times": 1, "parameters": {"x": seen}}
    trace = {
        "format": 1, "mindport": "0", "command": ["net.py"], "python": "3.11", "torch": "2.13", "has_columns": True,
        "ending": "exit", "steps": 0, "seconds": 1,
        "files": {"net.py": {"sha256": digest_of(TEXT), "functions": [function]}},
    }  # fmt: skip
    (tmp_path / DEFAULT_TRACE).parent.mkdir()
    (tmp_path / DEFAULT_TRACE).write_text(json.dumps(trace))
    uri = (tmp_path / "net.py").as_uri()

    def codes() -> set[str]:
        return {one["code"] for one in client.published(uri)}

    client.start()
    client.open(uri, TEXT)
    assert codes() == {"MP110"}
    client.change(uri, 2, {"text": TEXT + "\n"})
    assert codes() == {"MP111"}
    client.change(uri, 3, {"text": TEXT})
    assert codes() == {"MP110"}
