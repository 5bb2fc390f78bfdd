"""Reads sources whose comments say what is expected, and compares them with what the analysis finds.

`#: name form` behind a line lists one use whose name ends there as written; several are separated by `;`. `#: -` says
that nothing but what is listed elsewhere may be found on the line."""

from __future__ import annotations

import textwrap

from mindport.model.verdict import Confidence
from mindport.usage.api_use import ApiUse, FileUsage, Form
from mindport.usage.project import Project

PATH = "pkg/module.py"


def usage_of(source: str, **others: str) -> FileUsage:
    """The usage of a file; other files of the project by module name, with `__` for a slash."""
    project = Project("")
    for name, text in others.items():
        project.add(f"pkg/{name.replace('__', '/')}.py", textwrap.dedent(text))
    project.add(PATH, textwrap.dedent(source))
    return project.usage(PATH)


def found(source: str, **others: str) -> list[tuple[int, str]]:
    """Line and name of every use that is neither an import nor guessed."""
    uses = usage_of(source, **others).uses
    return [
        (use.span.line, use.api)
        for use in uses
        if use.form is not Form.IMPORT and use.confidence is not Confidence.GUESSED
    ]


def check(source: str, **others: str) -> None:
    """Compare what is found with the `#:` comments of the source."""
    text = textwrap.dedent(source)
    expected: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        _, mark, names = line.partition("#:")
        if mark:
            expected.extend(
                (number, name.strip()) for name in names.split(";") if name.strip() not in ("", "-")
            )
    assert sorted(found(text, **others)) == sorted(expected)


def only(usage: FileUsage, api: str) -> ApiUse:
    """The one use of this name."""
    (use,) = [use for use in usage.uses if use.api == api and use.form is not Form.IMPORT]
    return use
