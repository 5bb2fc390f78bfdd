"""Converting a class or a file from the editor: where it is offered, and the text it gives."""

from __future__ import annotations

from typing import Any

import pytest
from language_client import InnerClient, Message, applied, edits_of, place

URI = "file:///project/model.py"
RESOLVES: Message = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
ASKS: Message = {
    **RESOLVES,
    "workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}},
}
TEXT = """\
import torch
import torch.nn as nn


class Head(nn.Module):  # 頭 🚀
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x).view(-1, 2)


class Tail(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)


class Options:
    width = 3


steps = torch.linspace(0, 1, 3, dtype=torch.float64)
"""
HEAD, TAIL, OPTIONS = "Convert class `Head` to MindSpore", "Convert class `Tail` to MindSpore", 22
FILE = "Convert this file to MindSpore"
PREVIEW = "Preview converting this file to MindSpore"
UNSAFE = "Convert this file to MindSpore, with unsafe fixes too"


def offered(
    client: InnerClient, line: int, only: list[str] | None = None, text: str = TEXT
) -> dict[str, Any]:
    """The conversions at the start of a 0-based line of a fresh document, by title."""
    client.open(URI, text)
    client.published(URI)
    found = client.actions(URI, place(line, 0), only)
    return {one["title"]: one for one in found if one["kind"] == "refactor.rewrite.mindport"}


def resolved(client: InnerClient, action: Message) -> str:
    """The text after an action."""
    if "edit" not in action:
        action = client.result("codeAction/resolve", action)
    return applied(TEXT, edits_of(action, URI))


@pytest.mark.parametrize(
    ("line", "only", "titles"),
    [
        (0, None, [FILE, UNSAFE]),  # an import
        (2, None, []),
        (4, None, [HEAD, FILE, UNSAFE]),  # the class begins
        (7, None, []),  # inside it the menu is left to the fixes there
        (7, ["refactor"], [HEAD, FILE, UNSAFE]),
        (10, ["refactor.rewrite"], [HEAD, FILE, UNSAFE]),
        (18, ["refactor.rewrite.mindport"], [TAIL, FILE, UNSAFE]),
        (OPTIONS, ["refactor"], [FILE, UNSAFE]),  # no module
        (25, ["refactor"], [FILE, UNSAFE]),
        (7, ["quickfix"], []),
        (7, ["refactor.extract"], []),
        (99, ["source"], []),
    ],
)
def test_conversions_are_offered_where_they_make_sense(
    client: InnerClient, line: int, only: list[str] | None, titles: list[str]
) -> None:
    client.start(RESOLVES)
    assert list(offered(client, line, only)) == titles


@pytest.mark.parametrize("text", ["import numpy\n\n\nclass A:\n    pass\n", "import mindspore\n", ""])
def test_there_is_nothing_to_convert_without_torch(client: InnerClient, text: str) -> None:
    client.start(RESOLVES)
    assert offered(client, 0, ["refactor"], text) == {}


@pytest.mark.parametrize("abilities", [RESOLVES, {}])
def test_one_class_is_converted_and_nothing_else(client: InnerClient, abilities: Message) -> None:
    client.start(abilities)
    text = resolved(client, offered(client, 7, ["refactor"])[HEAD])
    head, _, rest = text.partition("class Tail")
    assert "Cell):  # 頭 🚀" in head
    assert "def construct(self, x):" in head and "self.set_train()" in head and "nn.Linear(" not in head
    assert rest == TEXT.partition("class Tail")[2]
    client.change(URI, 2, {"text": text})
    again = client.actions(URI, place(7, 0), ["refactor"])
    assert HEAD not in [one["title"] for one in again]


def test_the_file_is_converted_as_the_command_line_does(client: InnerClient) -> None:
    client.start(RESOLVES)
    actions = offered(client, 0)
    (every,) = client.actions(URI, place(0, 0), ["source.fixAll"])
    text = resolved(client, actions[FILE])
    assert text.count("def construct") == 2 and "torch.linspace(" in text
    assert text == resolved(client, every)
    unsafe = resolved(client, actions[UNSAFE])
    assert "torch.linspace" not in unsafe and "import torch" not in unsafe


def test_what_is_not_safe_waits_for_consent_where_the_client_can_ask(client: InnerClient) -> None:
    client.start(ASKS)
    actions = offered(client, 0)
    assert list(actions) == [FILE, PREVIEW, UNSAFE]
    edits = {title: client.result("codeAction/resolve", action)["edit"] for title, action in actions.items()}
    assert "changeAnnotations" not in edits[FILE]
    for title in (PREVIEW, UNSAFE):
        ((name, annotation),) = edits[title]["changeAnnotations"].items()
        assert annotation["needsConfirmation"] is True
        (change,) = edits[title]["documentChanges"]
        assert {edit["annotationId"] for edit in change["edits"]} == {name}


INITIALISED = """\
import torch.nn as nn


def init_weights(net):
    for m in net.modules():
        if m.__class__.__name__.find("Conv") != -1 and hasattr(m, "weight"):
            nn.init.normal_(m.weight, 0.0, 0.02)


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.conv(x)


class B(nn.Module):
    def forward(self, x):
        return x + 1
"""


@pytest.mark.parametrize(
    ("line", "character", "title"),
    [
        (9, 11, "Convert class `A` to MindSpore"),  # nn.Module
        (14, 8, "Convert class `A` to MindSpore"),  # forward
        (18, 11, "Convert class `B` to MindSpore"),
        (12, 24, "Replace `torch.nn.Conv2d` by `mindspore.nn.Conv2d`"),
    ],
)
def test_a_class_is_converted_whole_or_not_at_all(
    client: InnerClient, line: int, character: int, title: str
) -> None:
    client.start(RESOLVES)
    client.open(URI, INITIALISED)
    client.published(URI)
    actions = client.actions(URI, place(line, character), ["quickfix"])
    titles = [one["title"] for one in actions if not one["title"].startswith("Ignore")]
    assert titles == [title] if title.startswith("Convert") else title in titles
    done = client.result("codeAction/resolve", next(one for one in actions if one["title"] == title))
    text = applied(INITIALISED, edits_of(done, URI))
    parts = ("def init_weights", "class A", "class B")
    for part, following in zip(parts, (*parts[1:], None), strict=True):
        old, new = (
            one[one.index(part) : one.index(following) if following else None] for one in (INITIALISED, text)
        )
        named = title.split("`")[1] == part[-1] or (title.startswith("Replace") and part == "class A")
        assert (old != new) is named, part
        assert ("Cell" in new) is ("construct" in new)
    assert text.count("def ") == INITIALISED.count("def ")  # no helper


def test_a_conversion_that_finds_nothing_to_do_says_so(client: InnerClient) -> None:
    text = "import torch\n\nx = torch.no_such_name\n"
    client.start(RESOLVES)
    action = offered(client, 0, ["refactor"], text)[FILE]
    assert client.result("codeAction/resolve", action).get("edit") is None
    assert client.first("window/showMessage")["message"] == "Nothing there can be changed by these fixes."
