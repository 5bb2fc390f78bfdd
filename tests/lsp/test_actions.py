"""What hover and code actions say and do: the text after each action, character by character."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from language_client import SETTINGS, InnerClient, Message, applied, edits_of, place

from mindport import __version__

URI = "file:///project/model.py"
ABILITIES: Message = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
TEXT = """\
import torch


def f(a, b, c):
    x = torch.cat([a, b], dim=1)  # 張量 🚀
    y = torch.cat([x, c], dim=0)
    return torch.arange(4), torch.no_such_name
"""
CAT = place(4, 12)


def offered(client: InnerClient, text: str, where: Message, only: Sequence[str] | None = None) -> list[Any]:
    """The actions at a place of a fresh document."""
    client.open(URI, text)
    client.published(URI)
    return client.actions(URI, where, only)


def done(client: InnerClient, action: Message, text: str) -> str:
    """The text after an action, resolved first where that is needed."""
    if "edit" not in action:
        action = client.result("codeAction/resolve", action)
    return applied(text, edits_of(action, URI))


@pytest.mark.parametrize(
    ("line", "character", "first_line"),
    [
        (4, 14, "`ops.cat(tensors, axis=1)` replaces `torch.cat`"),
        (0, 9, None),  # `import torch` itself: whatever it says, it says something
        (6, 38, None),
    ],
)
def test_first_line_of_hover_says_what_to_write(
    client: InnerClient, line: int, character: int, first_line: str | None
) -> None:
    client.start(ABILITIES)
    client.open(URI, TEXT)
    text = client.hover(URI, line, character)["contents"]["value"]
    assert "MindSpore 2.10.0 on CPU" in text
    assert text.splitlines()[0].strip()
    if first_line is not None:
        assert text.splitlines()[0] == first_line


@pytest.mark.parametrize(("line", "character"), [(1, 0), (3, 5), (4, 20), (99, 0), (4, 999)])
def test_no_hover_where_there_is_no_torch(client: InnerClient, line: int, character: int) -> None:
    client.start(ABILITIES)
    client.open(URI, TEXT)
    assert client.hover(URI, line, character) is None


SILENT = """\
import torch.nn as nn


def f(p):
    return nn.Dropout(p), nn.LeakyReLU(), nn.Dropout(0.1, inplace=True)
"""


def test_the_target_is_named_once_and_not_in_every_diagnostic(client: InnerClient) -> None:
    client.start(ABILITIES)
    client.open(URI, SILENT)
    diagnostics = client.published(URI)
    assert len(diagnostics) == 3
    for diagnostic in diagnostics:
        assert diagnostic["source"] == "mindport"
        assert diagnostic["code"] == "MP101"
        assert "silently gives another result: " in diagnostic["message"]
        assert "2.10.0" not in diagnostic["message"]
    assert client.first("$/mindport/target")["target"].startswith("MindSpore 2.10.0 on CPU")
    card = client.hover(URI, 4, 16)["contents"]["value"]
    assert card.count("Target: MindSpore 2.10.0 on CPU, PyNative.") == 1
    assert [
        one["diagnostics"][0]["message"] for one in client.actions(URI, place(4, 16)) if "diagnostics" in one
    ] == [diagnostics[0]["message"]]


@pytest.mark.parametrize(
    ("character", "said", "left"),
    [
        (16, "The first position of mindspore.nn.Dropout is keep_prob", "replaces `torch.nn.Dropout`"),
        (31, "The slope is 0.2 unless it is given", "**Silently different:** Torch takes 0.01."),
    ],
)
@pytest.mark.parametrize("shows_marks", [True, False])
def test_a_card_under_its_mark_does_not_say_the_reason_again(
    client: InnerClient, character: int, said: str, left: str, shows_marks: bool
) -> None:
    client.start(ABILITIES, initializationOptions={**SETTINGS, "marksInHover": shows_marks})
    client.open(URI, SILENT)
    card = client.hover(URI, 4, character)["contents"]["value"]
    assert (said in card) is not shows_marks
    assert not shows_marks or left in card


def test_quick_fix_brings_its_import_and_touches_nothing_else(client: InnerClient) -> None:
    client.start()
    actions = offered(client, TEXT, CAT)
    fix = next(one for one in actions if "ops.cat" in one["title"])
    assert fix["kind"] == "quickfix"
    assert fix["isPreferred"]
    assert done(client, fix, TEXT) == TEXT.replace(
        "torch.cat([a, b], dim=1)", "ops.cat([a, b], axis=1)"
    ).replace("import torch\n", "import torch\nfrom mindspore import ops\n")


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_of_the_document_are_kept(client: InnerClient, newline: str) -> None:
    text = TEXT.replace("\n", newline)
    client.start()
    fix = next(one for one in offered(client, text, CAT) if "ops.cat" in one["title"])
    result = done(client, fix, text)
    assert f"import torch{newline}from mindspore import ops{newline}" in result
    assert result.count(newline) == text.count(newline) + 1
    assert result.replace(newline, "").count("\n") == 0


def test_a_new_line_ends_as_most_lines_of_the_document_do(client: InnerClient) -> None:
    text = "# one of its own\r\n" + TEXT
    client.start()
    below = place(CAT["start"]["line"] + 1, CAT["start"]["character"])
    fix = next(one for one in offered(client, text, below) if "ops.cat" in one["title"])
    assert "import torch\nfrom mindspore import ops\n" in done(client, fix, text)


@pytest.mark.parametrize("resolves", [False, True])
def test_fix_all_of_one_api(client: InnerClient, resolves: bool) -> None:
    support = {"resolveSupport": {"properties": ["edit"]}}
    client.start({"textDocument": {"codeAction": support}} if resolves else {})
    actions = offered(client, TEXT, CAT)
    every = next(one for one in actions if one["title"] == "Fix all `torch.cat` in this file")
    assert ("edit" in every) != resolves
    result = done(client, every, TEXT)
    assert "torch.cat" not in result
    assert result.count("ops.cat") == 2
    assert result.count("import ops") == 1
    assert "torch.arange" in result


def test_fix_all_is_complete_and_idempotent(client: InnerClient) -> None:
    client.start()
    (action,) = offered(client, TEXT, place(0, 0), ["source.fixAll"])
    assert action["kind"] == "source.fixAll.mindport"
    once = done(client, action, TEXT)
    ast.parse(once)
    assert "ops.cat([a, b], axis=1)  # 張量 🚀" in once
    assert "torch.no_such_name" in once
    client.change(URI, 2, {"text": once})
    assert client.actions(URI, place(0, 0), ["source.fixAll.mindport"]) == []


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {"quickfix"}),
        (["quickfix"], {"quickfix"}),
        ([""], {"quickfix", "refactor.rewrite.mindport", "source.fixAll.mindport"}),
        (["source"], {"source.fixAll.mindport"}),
        (["source.fixAll"], {"source.fixAll.mindport"}),
        (["source.fixAll.mindport"], {"source.fixAll.mindport"}),
        (["source.fixAll.ruff"], set()),
        (["refactor"], {"refactor.rewrite.mindport"}),
        (["refactor.extract"], set()),
        (["source.organizeImports"], set()),
    ],
)
def test_kinds_are_those_that_are_asked_for(
    client: InnerClient, only: list[str] | None, kinds: set[str]
) -> None:
    client.start()
    assert {one["kind"] for one in offered(client, TEXT, CAT, only)} == kinds


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    torch.no_such_name", "    torch.no_such_name  # mindport: ignore[{code}]"),
        ("    torch.no_such_name  # 🚀", "    torch.no_such_name  # 🚀  # mindport: ignore[{code}]"),
        (
            "    torch.no_such_name  # mindport: ignore[MP101]",
            "    torch.no_such_name  # mindport: ignore[MP101, {code}]",
        ),
    ],
)
def test_suppress_here(client: InnerClient, line: str, expected: str) -> None:
    text = f"import torch\nif True:\n{line}\n"
    client.start()
    client.open(URI, text)
    code = next(one["code"] for one in client.published(URI) if "no_such_name" in one["message"])
    (action,) = [
        one for one in client.actions(URI, place(2, 12)) if one["title"] == f"Ignore {code} on this line"
    ]
    result = done(client, action, text)
    assert result.splitlines()[2] == expected.format(code=code)
    client.change(URI, 2, {"text": result})
    assert code not in [one["code"] for one in client.published(URI, 2)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1  # mindport: ignore[MP101] why", "x = 1"),
        ("x = 1  # noqa  # mindport: ignore until 2020-01-01", "x = 1  # noqa"),
        ("x = '你🚀'  # mindport: ignore", "x = '你🚀'"),
        ("torch.none_such  # mindport: ignore[MP113, MP101]", "torch.none_such  # mindport: ignore[MP113]"),
        ("torch.none_such  # mindport: ignore[MP113]", None),
        ("x = 1  # a comment", None),
    ],
)
def test_a_comment_that_ignores_nothing_is_removed(
    client: InnerClient, line: str, expected: str | None
) -> None:
    text = f"import torch\n{line}\n"
    client.start()
    client.open(URI, text)
    client.published(URI)
    where = place(1, len(line.partition("#")[0].encode("utf-16-le")) // 2 + line.count("# noqa") * 8 + 3)
    found = [one for one in client.actions(URI, where) if "ignores nothing" in one["title"]]
    assert len(found) == (expected is not None)
    for action in found:
        assert [one["code"] for one in action["diagnostics"]] == ["MP904"]
        result = done(client, action, text)
        assert result == f"import torch\n{expected}\n"
        client.change(URI, 2, {"text": result})
        assert "MP904" not in [one["code"] for one in client.published(URI, 2)]


@pytest.mark.parametrize("where", [place(1, 0), place(3, 0), place(4, 40), place(99, 0)])
def test_no_action_where_there_is_nothing_to_do(client: InnerClient, where: Message) -> None:
    client.start()
    assert offered(client, TEXT, where) == []


def test_menu_for_a_whole_file_is_short(client: InnerClient) -> None:
    text = "import torch\n" + "".join(f"y{number} = torch.cat([x], dim={number})\n" for number in range(50))
    client.start()
    actions = offered(client, text, place(0, 0, 51, 0))
    assert 1 < len(actions) < 30


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "fix",
        {"uri": URI, "version": 1},
        {"uri": URI, "version": 1, "fix": [1, 2, 3], "number": 0},
        {"uri": URI, "version": 1, "fix": [5, 8, 5, 17], "number": 99},
        {"uri": URI, "version": 1, "fix": [1, 0, 1, 1], "number": 0},
        {"uri": URI, "version": 1, "ignore": "MP101", "line": "x"},
        {"uri": URI, "version": 1, "api": "torch.no_such_name"},
        {"uri": "file:///never/opened.py", "version": 1, "all": True},
    ],
)
def test_action_with_foreign_data_resolves_to_nothing(client: InnerClient, data: Any) -> None:
    client.start()
    client.open(URI, TEXT)
    client.published(URI)
    action = client.result("codeAction/resolve", {"title": "t", "data": data})
    assert "edit" not in action


def test_action_on_a_text_that_has_changed_since_does_nothing(client: InnerClient) -> None:
    client.start({"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}})
    actions = offered(client, TEXT, CAT)
    every = next(one for one in actions if one["title"].startswith("Fix all"))
    client.change(URI, 2, {"text": "\n" + TEXT})
    assert "edit" not in client.result("codeAction/resolve", every)


LOOP = """\
import torch


def train(net, loader, optimizer: torch.optim.Optimizer):
    for x in loader:
        optimizer.zero_grad()
        net(x).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "only", "is_offered"),
    [
        (4, None, True),
        (6, None, False),
        (6, ["refactor.rewrite"], True),
        (3, ["refactor.rewrite"], False),
        (4, ["quickfix"], False),
    ],
)
def test_a_training_loop_can_accumulate_gradients(
    client: InnerClient, line: int, only: Sequence[str] | None, is_offered: bool
) -> None:
    client.start({"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}})
    actions = [one for one in offered(client, LOOP, place(line, 8), only) if "Accumulate" in one["title"]]
    assert len(actions) == is_offered
    for action in actions:
        text = done(client, action, LOOP)
        assert "    accumulation_steps = 4\n" in text
        assert "        if (step + 1) % accumulation_steps == 0 or step + 1 == len(loader):\n" in text


SELECTION = """\
import torch


def f(x: torch.Tensor, y: torch.Tensor):
    return len(x[y > 0]) + x[y > 0].sum() + x[y > 0].max()
"""


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize("resolves", [True, False])
@pytest.mark.parametrize(
    ("character", "title", "after"),
    [
        (16, "Use `int((y > 0).sum())`, whose shape is fixed", "int((y > 0).sum()) + x[y > 0].sum() + "),
        (28, "Use `x.where(y > 0, 0).sum()`, whose shape is fixed (unsafe)", "x.where(y > 0, 0).sum() + "),
        (45, "", ""),
    ],
)
def test_what_a_mask_selects_can_get_a_fixed_shape(
    client: InnerClient, character: int, title: str, after: str, resolves: bool, mode: str
) -> None:
    abilities = {"codeAction": {"resolveSupport": {"properties": ["edit"]}}} if resolves else {}
    client.start({"textDocument": abilities}, initializationOptions={**SETTINGS, "mode": mode})
    where = place(4, character)
    actions = [one for one in offered(client, SELECTION, where) if "shape is fixed" in one["title"]]
    assert [one["title"] for one in actions] == ([title] if title else [])
    for action in actions:
        # In PyNative nothing is wrong with a shape that varies: it is a hint, and those are not shown.
        assert action.get("isPreferred", False) is (mode == "graph" and "unsafe" not in title)
        assert [one["code"] for one in action.get("diagnostics", ())] == ["MP302"] * (mode == "graph")
        assert after in done(client, action, SELECTION)


SEVERAL = """\
import torch
import torch.nn as nn

a = nn.Dropout(0.1)
b = nn.LeakyReLU()
c = nn.BatchNorm2d(3)
d = torch.qr(x)
"""
MAKES_FILES: Message = {"documentChanges": True, "resourceOperations": ["create"]}


@pytest.mark.parametrize("resolves", [False, True])
def test_all_findings_of_one_kind_are_fixed(client: InnerClient, resolves: bool) -> None:
    support = {"codeAction": {"resolveSupport": {"properties": ["edit"]}}} if resolves else {}
    client.start({"textDocument": support})
    actions = offered(client, SEVERAL, place(3, 6))
    action = next(one for one in actions if one["title"] == "Fix all MP101 in this file")
    text = done(client, action, SEVERAL)
    assert [line.split("(")[0] for line in text.splitlines()[-4:]] == [
        "a = TorchDropout",
        "b = mindspore.nn.LeakyReLU",
        "c = TorchBatchNorm2d",
        "d = torch.qr",
    ]


@pytest.mark.parametrize(
    ("text", "line", "character"),
    [
        (SEVERAL, 6, 8),  # its fix is not safe
        ("import torch.nn as nn\n\na = nn.Dropout(0.1)\nb = nn.Dropout(0.2)\n", 2, 6),  # one name
    ],
)
def test_fixes_of_a_kind_are_offered_where_they_are_more(
    client: InnerClient, text: str, line: int, character: int
) -> None:
    client.start()
    assert not [one for one in offered(client, text, place(line, character)) if "Fix all MP" in one["title"]]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "import torch\nx = torch.qr(y)\n",
            "# mindport: ignore-file[MP107]\nimport torch\nx = torch.qr(y)\n",
        ),
        (
            "#!/usr/bin/env python\n# coding: utf-8\nimport torch\nx = torch.qr(y)\n",
            "#!/usr/bin/env python\n# coding: utf-8\n# mindport: ignore-file[MP107]\nimport torch\nx = torch.qr(y)\n",
        ),
        (
            "import torch  # mindport: ignore-file[MP102]\nx = torch.qr(torch.linalg.ldl_factor(y))\n",
            "import torch  # mindport: ignore-file[MP102, MP107]\nx = torch.qr(torch.linalg.ldl_factor(y))\n",
        ),
    ],
)
def test_a_rule_is_ignored_in_the_file(client: InnerClient, before: str, after: str) -> None:
    client.start()
    line = before.splitlines().index(next(one for one in before.splitlines() if "torch.qr" in one))
    actions = offered(client, before, place(line, 11))
    action = next(one for one in actions if one["title"] == "Ignore MP107 in this file")
    text = done(client, action, before)
    assert text == after
    client.change(URI, 2, {"text": text})
    assert "MP107" not in [one["code"] for one in client.published(URI, 2)]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (None, '[tool.mindport]\nignore = ["MP107"]\n'),
        ("[project]\n", '[project]\n\n[tool.mindport]\nignore = ["MP107"]\n'),
        ('[tool.mindport]\nignore = ["MP7"]\n', '[tool.mindport]\nignore = ["MP7", "MP107"]\n'),
    ],
)
@pytest.mark.parametrize("resolves", [False, True])
def test_a_rule_is_ignored_in_the_project(
    client: InnerClient, tmp_path: Path, settings: str | None, expected: str, resolves: bool
) -> None:
    file = tmp_path / "pyproject.toml"
    if settings is not None:
        file.write_text(settings)
    support = {"codeAction": {"resolveSupport": {"properties": ["edit"]}}} if resolves else {}
    client.start({"textDocument": support, "workspace": {"workspaceEdit": MAKES_FILES}})
    uri = (tmp_path / "model.py").as_uri()
    client.open(uri, "import torch\nx = torch.qr(y)\n")
    client.published(uri)
    found = client.actions(uri, place(1, 11))
    action = next(one for one in found if one["title"] == "Ignore MP107 in the project")
    if "edit" not in action:
        action = client.result("codeAction/resolve", action)
    *made, change = action["edit"]["documentChanges"]
    assert [one["kind"] for one in made] == ["create"] * (settings is None)
    assert change["textDocument"]["uri"] == file.resolve().as_uri()
    assert applied(settings or "", change["edits"]) == expected


@pytest.mark.parametrize(
    "abilities",
    [
        {},
        {"workspace": {"workspaceEdit": {"documentChanges": True}}},
        {
            "workspace": {"workspaceEdit": {"documentChanges": True}},
            "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
        },
    ],
)  # no edits of files that are not there
def test_a_project_without_settings_gets_none_where_the_editor_cannot_make_a_file(
    client: InnerClient, tmp_path: Path, abilities: Message
) -> None:
    client.start(abilities)
    uri = (tmp_path / "model.py").as_uri()
    client.open(uri, "import torch\nx = torch.qr(y)\n")
    client.published(uri)
    assert not [one for one in client.actions(uri, place(1, 11)) if "in the project" in one["title"]]


@pytest.mark.parametrize(
    ("tags", "told"), [([1, 2], [None, [1]]), ([2], [None, None]), ([], [None, None]), (None, [None, None])]
)
def test_what_does_nothing_is_shown_faded_where_the_editor_can(
    client: InnerClient, tags: list[int] | None, told: list[object]
) -> None:
    support = {} if tags is None else {"tagSupport": {"valueSet": tags}}
    client.start({"textDocument": {"publishDiagnostics": support}})
    client.open(URI, "import torch\nx = torch.qr(y)\nz = 1  # mindport: ignore\n")
    assert [one.get("tags") for one in client.published(URI)] == told


@pytest.mark.parametrize(
    ("links", "shows", "told"),
    [
        (
            "https://example.org/{version}/rules/{code}.html",
            True,
            f"https://example.org/{__version__}/rules/MP107.html",
        ),
        ("command:open?{code}", True, "command:open?MP107"),
        ("https://example.org/{code}", False, None),
        ("", True, None),
        (None, True, None),
        (["https://example.org"], True, None),
    ],
)
def test_the_code_of_a_finding_leads_to_its_page_where_the_editor_says_where_that_is(
    client: InnerClient, links: object, shows: bool, told: str | None
) -> None:
    client.start(
        {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": shows}}},
        initializationOptions={
            "codeLinks": links,
            "settings": {"codeLinks": "https://example.org/workspace"},
        },
    )
    client.open(URI, "import torch\nx = torch.qr(y)\n")
    (found,) = client.published(URI)
    assert found["code"] == "MP107"
    assert found.get("codeDescription") == (None if told is None else {"href": told})
