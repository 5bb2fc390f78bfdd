"""Notebooks read as Python and written back: what is not changed keeps its bytes."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindport.model.span import Span
from mindport.source.notebook import (
    Notebook,
    cells_of,
    notebook_content,
    place_in_cell,
    place_in_json,
    placed_problem,
    read_notebook,
)
from mindport.source.problem import Problem, ProblemKind
from mindport.source.text import SourceText, decode_source, encode_source

PATH = "model.ipynb"


def notebook(*cells: Any, **more: Any) -> dict[str, Any]:
    """A notebook of code cells; a pair is the type and the source of another one."""
    return {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": 1,
                "metadata": {},
                "outputs": [{"t": ["]}"]}],
                "source": cell,
            }
            if isinstance(cell, str | list)
            else {"cell_type": cell[0], "metadata": {}, "source": cell[1]}
            for cell in cells
        ],
        "metadata": {"kernelspec": {"language": "python"}},
        "nbformat": 4,
        **more,
    }


def read(content: str) -> Notebook:
    found = read_notebook(content, PATH)
    assert isinstance(found, Notebook), found
    return found


FORMS = [{"indent": 1}, {"indent": 4}, {"indent": None}, {"indent": None, "separators": (",", ":")}]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_only_the_lines_that_change_change(form, ascii_only):
    document = notebook(
        ("markdown", ["# x = 1\n", "x = 1"]),
        ["x = 1  # 網\n", "y = 2"],
        "x = 1\n",
        [],
        ("raw", "x = 1"),
        ["z = 3"],
    )
    content = json.dumps(document, ensure_ascii=ascii_only, **form) + "\n"
    found = read(content)
    assert notebook_content(found, found.text) == content
    written = notebook_content(found, found.text.replace("y = 2", "y = 4\nw = 5  # 🚀"))
    expected = notebook(
        ("markdown", ["# x = 1\n", "x = 1"]),
        ["x = 1  # 網\n", "y = 4\n", "w = 5  # 🚀"],
        "x = 1\n",
        [],
        ("raw", "x = 1"),
        ["z = 3"],
    )
    assert written == json.dumps(expected, ensure_ascii=ascii_only, **form) + "\n"


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline\nx = 1",
        "!pip install torch\nx = 1",
        "if True:\n    !ls\nelse:\n    %cd ..\n",
        "files = !ls\nx = 1",
        "value = %timeit -o f()",
        "model?",
        "model.forward??\nx = 1",
        "?model",
        "%%time\nx = 1",
        "\n%%capture output\nx = 1",
        "%%bash\nls 'x\n\n  y",
        "%%writefile a.py\nimport torch\n",
        "%%html\n<b>",
        "",
        "\n\n",
        "x = 1\n",
        "await f()",
    ],
)
def test_what_python_does_not_read_is_hidden_and_comes_back(source):
    found = read(json.dumps(notebook(source, "last = 1")))
    ast.parse(found.text)
    assert "last = 1" in found.text
    changed = found.text.replace("last = 1", "last = 2")
    assert json.loads(notebook_content(found, changed) or "")["cells"][0]["source"] == source
    if "x = 1" in source:
        assert "\nx = 1" in found.text


@pytest.mark.parametrize(
    "source", ["x = (7\n% 2)", "x = '''\n%time\n!ls\n'''", "assert a != b", "x = 5 # why?"]
)
def test_python_that_looks_like_a_magic_is_left_alone(source):
    assert source in read(json.dumps(notebook(source))).text


def test_a_cell_that_does_not_parse_keeps_the_others():
    found = read(json.dumps(notebook("def f(:", "%magic\nx = = 1", "y = 1")))
    assert "def f(:" in found.text and "\ny = 1\n" in found.text


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "format 4"),
        ("{}", "format 4"),
        ('{"cells": 3}', "format 4"),
        ('{"cells": [3]}', "format 4"),
        ('{"worksheets": [{"cells": []}]}', "format 4"),
        ("[" * 100_000, "nested"),
        (json.dumps(notebook(metadata={"language_info": {"name": "R"}})), "notebook of r"),
        (json.dumps(notebook(metadata={"kernelspec": {"language": "julia"}})), "notebook of julia"),
    ],
)
def test_what_is_no_notebook_of_python_is_a_problem(content, word):
    problem = read_notebook(content, PATH)
    assert isinstance(problem, Problem)
    assert word in problem.message and problem.path == PATH


@pytest.mark.parametrize(
    "cell",
    [{}, {"cell_type": "code"}, {"cell_type": "code", "source": 3}, {"cell_type": "code", "source": [3]}],
)
def test_a_cell_without_a_source_is_passed_over(cell):
    document = notebook("x = 1")
    document["cells"].insert(0, cell)
    found = read(json.dumps(document))
    changed = notebook_content(found, found.text.replace("x = 1", "x = 2"))
    document["cells"][1]["source"] = "x = 2"
    assert json.loads(changed or "") == document


def test_a_text_that_lost_its_cells_is_not_written():
    found = read(json.dumps(notebook("x = 1", "y = 2")))
    first, second = found.text.splitlines(keepends=True)[0], found.text.splitlines(keepends=True)[2]
    for text in ("", "x = 1", found.text.replace(second, ""), found.text.replace(first, second, 1)):
        assert notebook_content(found, text) is None
    source = decode_source(found.content.encode(), PATH)
    assert isinstance(source, SourceText)
    with pytest.raises(ValueError, match="cells"):
        encode_source(source.with_text("x = 1"))


def test_what_is_put_at_the_top_goes_into_the_first_code_cell():
    found = read(json.dumps(notebook(("markdown", "# Title"), "x = 1", "y = 2")))
    written = json.loads(notebook_content(found, "import mindspore\n" + found.text) or "")
    assert [cell["source"] for cell in written["cells"]] == ["# Title", "import mindspore\nx = 1", "y = 2"]


def test_places_are_counted_from_the_start_of_the_cell():
    found = read(json.dumps(notebook(("markdown", "# Title"), "a\nb", ["c\n", "d"])))
    lines = found.text.splitlines()
    cells = cells_of(found.text)
    assert [cell.number for cell in cells] == [2, 3]
    for letter, place in {"a": (2, 1), "b": (2, 2), "c": (3, 1), "d": (3, 2)}.items():
        line = lines.index(letter) + 1
        assert place_in_cell(Span(line, 0, line, 1), cells) == (place[0], Span(place[1], 0, place[1], 1))
    assert place_in_cell(Span(5, 0, 5, 1), ()) == (None, Span(5, 0, 5, 1))
    line = lines.index("d") + 1
    problem = placed_problem(Problem(ProblemKind.SYNTAX, "no", Span(line, 0, line, 1)), PATH, cells)
    assert str(problem) == f"{PATH}:cell 3:2:1: no"


def test_only_a_notebook_has_cells():
    assert cells_of("# cell 1\nx = 1\n# %% cell 2\n") == ()


@pytest.mark.thorough
@settings(max_examples=200)
@given(st.lists(st.text(alphabet="ab =\n%!?#(é網🚀'\"\\\t", max_size=30), max_size=4), st.sampled_from(FORMS))
def test_any_cells_come_back(sources, form):
    content = json.dumps(notebook(*sources), ensure_ascii=False, **form)
    found = read(content)
    assert notebook_content(found, found.text) == content
    if sources:
        written = json.loads(notebook_content(found, "import mindspore\n" + found.text) or "")
        expected = ["import mindspore\n" + sources[0], *sources[1:]]
        assert ["".join(cell["source"]) for cell in written["cells"]] == expected


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "cells",
    [
        ("x = 1\ny = 2", "z = 3\n"),
        (["x = 1\n", "y = 2"], ["z = 3\n"]),
        (["x = 1\n", "# 張量 🚀\n", "\n", "y = 2\n", "w = 4"], "%%time\nz = 3"),
        (["x = 1\ny = 2\n", "w = 4"], ("markdown", "z = 3"), [], ["z = 3"]),
    ],
)
def test_each_line_of_code_has_its_place_in_the_json(cells: tuple[Any, ...], indent: int | None) -> None:
    content = json.dumps(notebook(*cells), indent=indent, ensure_ascii=False)
    found = read(content)
    lines = content.splitlines()
    for at, line in enumerate(found.text.splitlines(), 1):
        if not re.fullmatch(r"\w = \d", line):
            continue
        place = place_in_json(Span(at, 0, at, 1), found)
        assert place.line == place.end_line
        shown = json.loads(lines[place.line - 1][place.column : place.end_column])
        assert line in shown.splitlines()
        assert shown in [text for cell in cells for text in ([cell] if isinstance(cell, str) else cell)]


def test_what_is_in_no_cell_is_at_the_beginning() -> None:
    found = read(json.dumps(notebook()))
    assert place_in_json(Span(1, 0, 1, 0), found) == Span(1, 0, 1, 0)
