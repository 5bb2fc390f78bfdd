"""Notebooks in the editor: one analysis of all cells, findings and edits in the cell they belong to."""

from __future__ import annotations

from typing import Any

import pytest
from language_client import InnerClient, Message, applied, place

NOTEBOOK = "file:///project/model.ipynb"
CODE, MARKUP = 2, 1
CELLS = [
    "%matplotlib inline\nimport torch  # 🚀",
    "# torch.cat is markdown here",
    "!pip list\nx = torch.ones(2)\ny = torch.cat([x, x], dim=0)  # 張量 🚀",
    "torch.no_such_name",
]
KINDS = [CODE, MARKUP, CODE, CODE]
PUSHES: Message = {}
PULLS: Message = {"textDocument": {"diagnostic": {}}}
VERSIONED: Message = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


def uri(number: int) -> str:
    return f"vscode-notebook-cell:/project/model.ipynb#{number}"


def cell(number: int) -> Message:
    return {"kind": KINDS[number], "document": uri(number)}


def item(number: int, text: str, language: str = "python") -> Message:
    return {"uri": uri(number), "languageId": language, "version": 1, "text": text}


def open_notebook(client: InnerClient, cells: list[str] | None = None) -> None:
    texts = CELLS if cells is None else cells
    notebook = {
        "uri": NOTEBOOK,
        "notebookType": "jupyter-notebook",
        "version": 1,
        "cells": [cell(number) for number in range(len(texts))],
    }
    items = [item(number, text) for number, text in enumerate(texts) if KINDS[number] == CODE]
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": items})


def change(client: InnerClient, version: int, **cells: Any) -> None:
    identifier = {"uri": NOTEBOOK, "version": version}
    client.notify("notebookDocument/didChange", {"notebookDocument": identifier, "change": {"cells": cells}})


def diagnostics(client: InnerClient, number: int) -> list[Any]:
    """What a client that pulls gets for a cell."""
    answer = client.result("textDocument/diagnostic", {"textDocument": {"uri": uri(number)}})
    found: list[Any] = answer["items"]
    return found


def by_uri(edit: Message) -> dict[str, list[Any]]:
    if "documentChanges" in edit:
        return {one["textDocument"]["uri"]: one["edits"] for one in edit["documentChanges"]}
    found: dict[str, list[Any]] = edit["changes"]
    return found


def after(edit: Message, texts: list[str]) -> list[str]:
    """The texts of the cells after an edit."""
    changes = by_uri(edit)
    assert set(changes) <= {uri(number) for number in range(len(texts))}
    return [
        applied(text, changes[uri(number)]) if uri(number) in changes else text
        for number, text in enumerate(texts)
    ]


def test_each_cell_gets_its_own_findings(client: InnerClient) -> None:
    client.start(PULLS)
    open_notebook(client)
    assert [len(diagnostics(client, number)) for number in (0, 1, 2)] == [0, 0, 0]
    (found,) = diagnostics(client, 3)
    assert found["code"] == "MP113"
    assert found["range"] == place(0, 0, 0, 18)


def test_findings_are_pushed_for_each_cell(client: InnerClient) -> None:
    client.start(PUSHES)
    open_notebook(client)
    assert [one["code"] for one in client.published(uri(3))] == ["MP113"]
    change(
        client, 2, textContent=[{"document": {"uri": uri(3), "version": 2}, "changes": [{"text": "x = 1"}]}]
    )
    assert client.published(uri(3), 2) == []


def test_a_name_that_an_earlier_cell_imports_has_a_card(client: InnerClient) -> None:
    client.start({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
    open_notebook(client)
    card = client.hover(uri(2), 2, 12)
    assert card["contents"]["value"].startswith("`ops.cat(")
    assert card["range"] == place(2, 10, 2, 13)
    assert client.hover(uri(2), 0, 1) is None
    assert client.hover(uri(1), 0, 4) is None


@pytest.mark.parametrize("abilities", [PUSHES, VERSIONED])
def test_a_fix_changes_its_cell_and_imports_where_imports_are(
    client: InnerClient, abilities: Message
) -> None:
    client.start(abilities)
    open_notebook(client)
    client.published(uri(2))
    (fix,) = [one for one in client.actions(uri(2), place(2, 12)) if "ops.cat" in one["title"]]
    texts = after(fix["edit"], CELLS)
    assert texts[0] == CELLS[0] + "\nfrom mindspore import ops"
    assert texts[2] == CELLS[2].replace("torch.cat([x, x], dim=0)", "ops.cat([x, x], axis=0)")
    assert texts[1] == CELLS[1] and texts[3] == CELLS[3]


def test_all_safe_fixes_and_again_none(client: InnerClient) -> None:
    client.start(VERSIONED)
    open_notebook(client)
    client.published(uri(2))
    (every,) = client.actions(uri(2), place(0, 0), ["source.fixAll"])
    texts = after(every["edit"], CELLS)
    assert "x = ops.ones((2,))\ny = ops.cat([x, x], axis=0)  # 張量 🚀" in texts[2]
    assert texts[2].startswith("!pip list\n") and texts[0].startswith("%matplotlib inline\n")
    content = [
        {"document": {"uri": uri(number), "version": 2}, "changes": [{"text": text}]}
        for number, text in enumerate(texts)
        if KINDS[number] == CODE
    ]
    change(client, 2, textContent=content)
    client.published(uri(2), 2)
    assert client.actions(uri(2), place(0, 0), ["source.fixAll"]) == []


def test_cells_that_come_and_go(client: InnerClient) -> None:
    client.start(PULLS)
    open_notebook(client, CELLS[:3])
    array = {"start": 1, "deleteCount": 1, "cells": [cell(3)]}
    opened = [item(3, "torch.no_such_name  # 🚀")]
    change(client, 2, structure={"array": array, "didOpen": opened, "didClose": [{"uri": uri(1)}]})
    assert [one["range"]["start"]["line"] for one in diagnostics(client, 3)] == [0]
    # The import goes: the names are no longer torch's.
    change(client, 3, structure={"array": {"start": 0, "deleteCount": 1}, "didClose": [{"uri": uri(0)}]})
    assert diagnostics(client, 3) == [] and diagnostics(client, 0) == []
    assert client.hover(uri(2), 2, 12) is None


def test_incremental_changes_count_in_the_cell(client: InnerClient) -> None:
    client.start(PULLS)
    open_notebook(client)
    edit = {"range": place(0, 6, 0, 18), "text": "nothing_like_it"}
    change(client, 2, textContent=[{"document": {"uri": uri(3), "version": 2}, "changes": [edit]}])
    (found,) = diagnostics(client, 3)
    assert found["range"] == place(0, 0, 0, 21) and "nothing_like_it" in found["message"]


def test_a_closed_notebook_has_no_findings(client: InnerClient) -> None:
    client.start(PULLS)
    open_notebook(client)
    closed = [{"uri": uri(number)} for number in (0, 2, 3)]
    client.notify(
        "notebookDocument/didClose", {"notebookDocument": {"uri": NOTEBOOK}, "cellTextDocuments": closed}
    )
    assert diagnostics(client, 3) == []
    change(client, 2, textContent=[])  # what comes late is passed over


def test_the_server_says_that_it_reads_notebooks(client: InnerClient) -> None:
    sync = client.start({"notebookDocument": {"synchronization": {}}})["capabilities"]["notebookDocumentSync"]
    assert sync["notebookSelector"] == [{"notebook": "jupyter-notebook", "cells": [{"language": "python"}]}]
