"""While a part of a text does not parse: what is still shown stands where it belongs, and nothing is offered that does
not fit the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from language_client import InnerClient, applied, edits_of, place
from random_edits import Edited, session, texts_of, try_document

from mindport.checking.findings import underlined
from mindport.lsp import folder as folder_module
from mindport.lsp.convert import workspace_edit
from mindport.lsp.scene import Scene
from mindport.model.span import Edit, Span
from mindport.usage.api_use import Form

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
TESTS = Path(__file__).parent.parent
FOLDERS = (TESTS / "models" / "programs", TESTS / "models" / "open_bench", TESTS / "sample")

CHAIN = """\
import torch
from torch import nn


def f(x):
    a = nn.LeakyReLU()(x)
    b = nn.AvgPool2d(3)(x)
    c = nn.BatchNorm2d(3)(x)
    return a + b + c


def g(x):
    "张量 🚀"; return torch.cat([x, x], dim=1)  # 張量
"""


def lines_of(edited: Edited) -> dict[str, set[int]]:
    """On which lines each name of torch is found, without what is imported."""
    found: dict[str, set[int]] = {}
    for use in edited.session.analyse(edited.document).usage.uses:
        name = use.api.removeprefix("torch.")
        if not name.startswith("Tensor.") and use.form is not Form.IMPORT:
            found.setdefault(name, set()).add(underlined(use).line)
    return found


def edited_text(text: str, *edits: tuple[str, str]) -> Edited:
    """A document in which each old text, one after the other, was replaced by the new one."""
    edited = Edited(session(), "untitled:chain", text)
    for old, new in edits:
        start = edited.text.index(old)
        edited.edit(start, start + len(old), new)
    return edited


ALL = {"nn.LeakyReLU": {6}, "nn.AvgPool2d": {7}, "nn.BatchNorm2d": {8}, "cat": {13}}
BROKEN = {
    "a bracket before": ([("nn.LeakyReLU", "(nn.LeakyReLU")], ALL),
    "a line break in a call": (
        [("AvgPool2d(", "AvgPool2d(\n(")],
        {"nn.LeakyReLU": {6}, "nn.AvgPool2d": {7}, "nn.BatchNorm2d": {9}, "cat": {14}},
    ),
    "a class in a line": (
        [("(x)\n    c", "(class A(nn.Module):\n    def forward(self):\n        (x)\n    c")],
        {"nn.LeakyReLU": {6}, "nn.AvgPool2d": {7}, "nn.BatchNorm2d": {10}, "cat": {15}},
    ),
    "lines are deleted": (
        [("LeakyReLU()(x)\n    b = nn.AvgPool2d", "[")],
        {"nn.BatchNorm2d": {7}, "cat": {12}},
    ),
    "a string begins": ([("    b =", '    """b =')], ALL),
    "a name is typed on": (
        [("AvgPool2d(", "AvgPool2d_(((")],
        {"nn.LeakyReLU": {6}, "nn.BatchNorm2d": {8}, "cat": {13}},
    ),
    "a name gets an owner": (
        [("b = nn.", "b = (((x.nn.")],
        {"nn.LeakyReLU": {6}, "nn.BatchNorm2d": {8}, "cat": {13}},
    ),
    "a name is parted": (
        [("Avg", "Avg\n((")],
        {"nn.LeakyReLU": {6}, "nn.BatchNorm2d": {9}, "cat": {14}},
    ),
    "a bracket, then a line is deleted": (
        [("b =", "(b ="), ("    a = nn.LeakyReLU()(x)\n", "")],
        {"nn.AvgPool2d": {6}, "nn.BatchNorm2d": {7}, "cat": {12}},
    ),
    "a wide character before": ([("    return a", "    块🧱(return a"), ("b = ", "块 = (")], ALL),
}


@pytest.mark.parametrize(("edits", "lines"), BROKEN.values(), ids=BROKEN.keys())
def test_findings_follow_their_names(edits: list[tuple[str, str]], lines: dict[str, set[int]]) -> None:
    edited = edited_text(CHAIN, *edits)
    assert not edited.parses
    assert lines_of(edited) == lines
    assert not list(edited.wrong())


def test_edits_in_several_places_at_once_are_told_apart() -> None:
    edited = Edited(session(), "untitled:chain", CHAIN)
    text = CHAIN.replace("import torch\n", "import os\nimport torch\n").replace("dim=1)", "dim=1")
    text = text.replace("    b =", "    # one\n    # two\n    b =")
    edited.edit(0, len(CHAIN), text)
    assert not edited.parses and not list(edited.wrong())
    assert lines_of(edited) == {
        "nn.LeakyReLU": {7},
        "nn.AvgPool2d": {10},
        "nn.BatchNorm2d": {11},
        "cat": {16},
    }
    # Only `g` is broken, and nothing has changed in the lines with the imports.
    scene = Scene(edited.session, edited.document)
    assert {use.api for use in scene.uses if use.api in ("torch", "torch.nn")} == {"torch", "torch.nn"}


def test_mending_the_text_gives_what_a_fresh_document_has() -> None:
    edited = edited_text(CHAIN, ("b =", "(b ="), ("    a = nn.LeakyReLU()(x)\n", ""), ("(b =", "b ="))
    fresh = Edited(session(), "untitled:fresh", edited.text)
    assert edited.parses and lines_of(edited) == lines_of(fresh)
    scene = Scene(edited.session, edited.document)
    assert not scene.outdated and any(scene.rewrites(use) for use in scene.uses if underlined(use).line == 7)


def change(client: InnerClient, uri: str, version: int, text: str, old: str, new: str) -> str:
    """Let the client replace a text; the whole text then."""
    before, _, behind = text.partition(old)
    last = f"{before}{old}"
    start, end = ((one.count("\n"), len(one.rpartition("\n")[2])) for one in (before, last))
    positions = [{"line": line, "character": character} for line, character in (start, end)]
    client.change(uri, version, {"range": dict(zip(("start", "end"), positions, strict=True)), "text": new})
    return f"{before}{new}{behind}"


def test_what_has_changed_has_no_card_and_no_fix(client: InnerClient) -> None:
    uri = "file:///project/chain.py"
    client.start({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    client.open(uri, CHAIN)
    client.published(uri)
    assert client.hover(uri, 6, 14) and [
        one for one in client.actions(uri, place(6, 14)) if one.get("isPreferred")
    ]
    text = change(client, uri, 2, CHAIN, "b =", "(b =")
    client.published(uri, 2)
    text = change(client, uri, 3, text, "    a = nn.LeakyReLU()(x)\n", "")
    for line in (5, 6, 7):
        for character in range(len(text.split("\n")[line]) + 1):
            assert client.hover(uri, line, character) is None
            titles = [one["title"] for one in client.actions(uri, place(line, character), ["quickfix"])]
            assert [one for one in titles if "MP901" not in one] == []
    # The function below is as it was.
    line = next(number for number, one in enumerate(text.split("\n")) if "torch.cat" in one)
    column = text.split("\n")[line].index("cat") + 1 + 1  # the rocket counts twice
    assert "torch.cat" in client.hover(uri, line, column)["contents"]["value"]
    (fix,) = [one for one in client.actions(uri, place(line, column)) if "ops.cat" in one["title"]]
    resolved = fix if "edit" in fix else client.result("codeAction/resolve", fix)
    assert "return ops.cat([x, x], axis=1)  # 張量" in applied(text, edits_of(resolved, uri))


def test_an_unsaved_text_that_is_broken_is_compared_with_the_disk(
    client: InnerClient, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mindport]\n", encoding="utf-8")
    (tmp_path / "chain.py").write_text(CHAIN, encoding="utf-8")
    user, chain = (tmp_path / "user.py").as_uri(), (tmp_path / "chain.py").as_uri()
    client.start()
    client.open(
        user, "import torch\nfrom chain import f\n\n\ndef h(x):\n    return torch.cat([f(x), x], dim=1)\n"
    )
    client.published(user)
    text = CHAIN.replace("    a =", "    # one\n    # two\n    (a =").replace(
        "import torch\n", "import os\nimport torch\n"
    )
    client.open(chain, text)
    lines = text.split("\n")
    found: list[Any] = [one for one in client.published(chain) if one["code"] != "MP901"]
    assert found
    for one in found:
        start, end = one["range"]["start"], one["range"]["end"]
        encoded = lines[start["line"]].encode("utf-16-le")
        marked = encoded[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")
        assert start["line"] == end["line"]
        assert marked and f"{marked.rpartition('.')[2]} " in one["message"].replace("`", " "), one


def test_an_edit_is_for_the_text_that_it_was_made_for() -> None:
    edited = edited_text(CHAIN)
    abilities = edited.session.abilities
    fits, does_not = (Edit(Span(6, 8, 6, 10), "ops", expected) for expected in ("nn", "F."))
    assert workspace_edit([fits], edited.document, abilities) is not None
    assert workspace_edit([fits, does_not], edited.document, abilities) is None
    scene = Scene(edited.session, edited.document)
    edits = [edit for use in scene.uses for edit in scene.fix_at(underlined(use), 0)]
    assert edits and all(edit.expected == scene.lines.slice(edit.span) for edit in edits)


CRITIC = """\
import mindspore as ms
from mindspore import nn, ops


class Critic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.dense = nn.Dense(4, 1)

    def construct(self, x):
        return self.dense(self.flatten(x))


critic = Critic()


def penalty(x):
    def inner(y):
        gradient = ms.grad(critic)(y)
        return gradient.sum()

    return ms.grad(inner)(x)
"""


def test_the_gradient_of_another_moment_is_not_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "_SHORT_SECONDS", -1.0)  # each search counts as long
    edited = Edited(session(), "untitled:critic", CRITIC)

    def fixes() -> list[str]:
        scene = Scene(edited.session, edited.document)
        return [fix.title for link in scene.analysis.links for _, fix in scene.link_fixes(link)]

    assert any("mindspore.jit" in title for title in fixes())
    folder = edited.session.folder_of(edited.document)
    folder.begin_typing()
    start = edited.text.index("ms.grad(critic)")
    edited.edit(start, start, "(")
    links = edited.session.analyse(edited.document).links
    assert links and all(link.gradient is None for link in links)
    # The layers are applied where they were; what differentiates is not certain.
    assert {one.name for link in links for one in link.chain} == {
        "mindspore.nn.Flatten",
        "mindspore.nn.Dense",
    }
    assert not fixes()
    edited.edit(start, start + 1, "")
    folder.rest()
    assert any("mindspore.jit" in title for title in fixes())


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 10))]
)
def test_random_edits_leave_every_finding_on_its_name(part: int) -> None:
    texts = texts_of(FOLDERS, 6_000)
    one_session = session()
    broken = 0
    for seed in range(20 * part, 20 * (part + 1)):
        path, text = texts[seed % len(texts)]
        versions, wrong = try_document(one_session, path, text, seed, 1 + seed % 10)
        assert not wrong
        broken += versions
    assert broken > 20
