"""The first [tool.mindport] table of a project, as text to put at the end of its pyproject.toml."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from mindport.model.target import Mode, Target

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# Where projects keep the code of others, which is ported where it comes from.
_CODE_OF_OTHERS = ("3rdparty", "extern", "external", "externals", "third_party", "thirdparty", "vendor")
_DEPTH = 2


def first_table(target: Target, reasons: Sequence[str], excluded: Sequence[str]) -> str:
    """The table that pins a target, each value under the reason for it, and leaves out folders."""
    version_reason, device_reason = reasons
    lines = [
        "[tool.mindport]",
        f"# {version_reason}",
        f'target-version = "{target.version.major}.{target.version.minor}"',
        f"# {device_reason}",
        f'device = "{target.device.value}"',
    ]
    if target.mode is not Mode.PYNATIVE:
        lines.append(f'mode = "{target.mode.value}"')
    if excluded:
        lines.append(f"extend-exclude = {json.dumps(list(excluded), ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def code_of_others(root: Path) -> tuple[str, ...]:
    """The folders near the root of a project that hold the code of others, as patterns of `extend-exclude`."""
    found = []
    waiting = [(root, 1)]
    while waiting:
        folder, depth = waiting.pop(0)
        try:
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))
        except OSError:
            continue
        for name in names:
            if name.lower() in _CODE_OF_OTHERS:
                found.append("/" + (folder / name).relative_to(root).as_posix())
            elif depth < _DEPTH and not name.startswith("."):
                waiting.append((folder / name, depth + 1))
    return tuple(found)


def with_table(content: str, table: str) -> str | None:
    """A pyproject.toml with a table at its end; what is there stays as it is. None where it would be no TOML then, as
    where `tool` is written on one line."""
    newline = "\r\n" if "\r\n" in content else "\n"
    if content and not content.endswith("\n"):
        content += newline
    gap = newline if content.strip() else ""
    text = content + gap + table.replace("\n", newline)
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return None
    return text
