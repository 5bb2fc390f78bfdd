"""Adds a rule to those that a project ignores: the text of its pyproject.toml with one code more, all else as it is."""

from __future__ import annotations

import re
import sys
from typing import Any

from mindport.config.first_table import with_table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TABLE = re.compile(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*mindport[ \t]*\][^\r\n]*\r?\n?", re.MULTILINE)
_NEXT = re.compile(r"^[ \t]*\[", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*ignore[ \t]*=[ \t]*\[(?P<items>[^\]#]*)\]", re.MULTILINE)


def with_ignored_rule(content: str, code: str) -> str | None:
    """The file with `code` in `ignore`. None where it is there already, or cannot be added without a change of more."""
    before = _parsed(content)
    if before is None or code in _ignored(before):
        return None
    table = _TABLE.search(content)
    if table is None:
        text = with_table(content, f'[tool.mindport]\nignore = ["{code}"]\n')
    else:
        following = _NEXT.search(content, table.end())
        listed = _LIST.search(content, table.end(), following.start() if following else len(content))
        text = _in_list(content, listed, code) if listed else _below(content, table, code)
    after = None if text is None else _parsed(text)
    if after is None or _ignored(after) != [*_ignored(before), code]:
        return None
    return text if _without_ignore(after) == _without_ignore(before) else None


def _in_list(content: str, listed: re.Match[str], code: str) -> str:
    items = listed["items"].rstrip()
    end = listed.start("items") + len(items)
    gap = " " if items and not items.endswith(",") else ""
    comma = "," if items and not items.endswith(",") else ""
    if items.endswith(","):  # one on each line, as a rule
        gap = re.search(r"(\s*)\S+,$", items)[1] or " "  # type: ignore[index]
        return f'{content[:end]}{gap}"{code}",{content[end:]}'
    return f'{content[:end]}{comma}{gap}"{code}"{content[end:]}'


def _below(content: str, table: re.Match[str], code: str) -> str:
    newline = "\r\n" if "\r\n" in content else "\n"
    head = table[0] if table[0].endswith("\n") else table[0] + newline
    return f'{content[: table.start()]}{head}ignore = ["{code}"]{newline}{content[table.end() :]}'


def _parsed(content: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(content.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return None


def _table_of(data: dict[str, Any]) -> dict[str, Any]:
    tool = data.get("tool", {})
    table = tool.get("mindport", {}) if isinstance(tool, dict) else {}
    return table if isinstance(table, dict) else {}


def _ignored(data: dict[str, Any]) -> list[Any]:
    found = _table_of(data).get("ignore", [])
    return found if isinstance(found, list) else [found]


def _without_ignore(data: dict[str, Any]) -> dict[str, Any]:
    """All else, the table left out where it holds nothing else."""
    tool = dict(data.get("tool", {}))
    table = {key: value for key, value in _table_of(data).items() if key != "ignore"}
    rest = {key: value for key, value in tool.items() if key != "mindport"}
    return {**data, "tool": {**rest, **({"mindport": table} if table else {})}}
