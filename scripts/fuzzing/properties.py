"""What must hold of every file, whatever is in it: a check does not fail on it, and gives the same twice; its places
are in the file; a fix keeps a file that parses one that does, changes nothing the second time, and leaves alone what
does not."""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mindport.checking.fixing import fix_paths
from mindport.checking.outcome import FileReport
from mindport.checking.project import check_paths
from mindport.config.settings import Settings
from mindport.model.finding import Finding
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText, encode_source, read_source

_INTERNAL = "MP903"
_AT_THE_END = 1  # what is missing at the end of a line is said of the end
_CPU = Target(Version(2, 10, 0), Device.CPU)
_SETTINGS = Settings(jobs=1)


def failures(content: bytes, folder: Path) -> Iterator[str]:
    """What does not hold of a file with this content, which is written into a folder that is empty otherwise."""
    file = folder / "fuzzed.py"
    file.write_bytes(content)
    try:
        report = _report(file)
        yield from _wrong_places(report, file)
        if _report(file) != report:
            yield "a second check gives something else"
        yield from _wrong_fixes(content, file)
    except Exception as error:  # noqa: BLE001  that is what is looked for
        yield f"raises {type(error).__name__}: {error}"


def _report(file: Path) -> FileReport:
    [report] = check_paths([str(file)], _SETTINGS, _CPU, str(file.parent), use_cache=False)
    return report


def _wrong_places(report: FileReport, file: Path) -> Iterator[str]:
    source = read_source(file)
    lines = source.text.split("\n") if isinstance(source, SourceText) and "\r" not in source.text else None
    for finding in report.findings:
        if finding.rule == _INTERNAL:
            yield f"fails inside: {finding.message}"
        span = finding.span
        if span.end < span.start:
            yield f"{finding.rule} ends before it begins"
        if lines is not None and not (
            span.end_line <= len(lines) and span.end_column - _AT_THE_END <= len(lines[span.end_line - 1])
        ):
            yield f"{finding.rule} ends behind its line"


def _wrong_fixes(content: bytes, file: Path) -> Iterator[str]:
    for unsafe in (False, True):
        file.write_bytes(content)
        fixed = _fixed(file, unsafe)
        if _INTERNAL in {finding.rule for finding in fixed.findings}:
            yield "the fix fails inside"
        if _parses(content) and not _parses(fixed.content):
            yield f"does not parse after a fix (unsafe: {unsafe})"
        if not _parses(content) and fixed.content != content:
            yield f"was changed although it does not parse (unsafe: {unsafe})"
        file.write_bytes(fixed.content)
        if _fixed(file, unsafe).content != fixed.content:
            yield f"a second fix changes something (unsafe: {unsafe})"


class FixedBytes(NamedTuple):
    """What a fix makes of a file, and what it reports of it."""

    content: bytes
    findings: tuple[Finding, ...]


def _fixed(file: Path, unsafe: bool) -> FixedBytes:
    made = fix_paths([str(file)], _SETTINGS, _CPU, str(file.parent), {}, unsafe=unsafe, allow_dirty=True)
    one = next(one for one in made if one.path == str(file))
    content = file.read_bytes() if one.after is None else encode_source(one.after)
    return FixedBytes(content, one.report.findings)


def _parses(content: bytes) -> bool:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(content)
        return True
    return False
