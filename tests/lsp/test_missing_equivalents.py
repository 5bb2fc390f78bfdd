"""What the editor offers where MindSpore has no equivalent: an operator that calls torch's kernel, a request."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from language_client import InnerClient, Message, place

ABILITIES: Message = {
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
    "window": {"showDocument": {"support": True}},
}
TEXT = """\
import torch


def f(a: torch.Tensor, n: int):
    torch.linalg.ldl_factor(a, hermitian=True)
    return torch.relu(a), torch.linalg.ldl_factor(a, hermitian=n > 2)
"""


def offered(client: InnerClient, uri: str, line: int, character: int = 20) -> dict[str, Any]:
    client.open(uri, TEXT)
    client.published(uri)
    actions = client.actions(uri, place(line, character), None)
    return {
        one["title"].split("`")[0].strip(): one for one in actions if one.get("kind") == "mindport.wayOut"
    }


def test_an_operator_is_written_beside_the_document(client: InnerClient, tmp_path: Any) -> None:
    client.start(ABILITIES)
    actions = offered(client, (tmp_path / "model.py").as_uri(), 4)
    changes = actions["Write a custom operator that calls torch's kernel of"]["edit"]["documentChanges"]
    created = [one["uri"] for one in changes if one.get("kind") == "create"]
    folder = (tmp_path / "custom_ops").as_uri()
    assert f"{folder}/linalg_ldl_factor.cc" in created and len(created) == 5
    texts = [one["edits"][0]["newText"] for one in changes if "edits" in one]
    assert any("at::linalg_ldl_factor(inputs[0], true)" in text for text in texts)


def test_nothing_is_written_over(client: InnerClient, tmp_path: Any) -> None:
    (tmp_path / "custom_ops").mkdir()
    (tmp_path / "custom_ops" / "linalg_ldl_factor.cc").write_text("mine")
    client.start(ABILITIES)
    assert not [
        one for one in offered(client, (tmp_path / "model.py").as_uri(), 4) if one.startswith("Write")
    ]


def test_a_request_opens_in_the_browser(client: InnerClient) -> None:
    client.start(ABILITIES)
    action = offered(client, "file:///project/model.py", 4)["Ask MindSpore's community for"]
    client.result("workspace/executeCommand", action["command"])
    shown = client.first("window/showDocument")
    assert shown["external"]
    query = parse_qs(urlsplit(shown["uri"]).query)
    assert query["title"] == ["Add an equivalent of torch.linalg.ldl_factor"]
    assert "torch.linalg.ldl_factor(a, hermitian=True)" in query["body"][0]


@pytest.mark.parametrize(
    ("line", "character", "abilities", "expected"),
    [
        (5, 15, ABILITIES, []),  # relu has an equivalent
        (5, 45, ABILITIES, ["Ask"]),  # an attribute that is not plain cannot be fixed in an operator
        (4, 20, {}, []),
        (4, 20, {"window": {"showDocument": {"support": True}}}, ["Ask"]),
        (0, 8, ABILITIES, []),
    ],
)
def test_only_what_helps_is_offered(
    client: InnerClient, line: int, character: int, abilities: Message, expected: list[str]
) -> None:
    client.start(abilities)
    titles = offered(client, "file:///project/model.py", line, character)
    assert [title.split()[0] for title in titles] == expected
