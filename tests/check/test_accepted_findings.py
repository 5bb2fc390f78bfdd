"""Which findings a baseline knows again: those whose lines moved or were edited and whose file was renamed, and no new
ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mindport.checking.baseline import Accepted, Baseline, Matching, baseline_text, read_baseline
from mindport.checking.outcome import FileReport
from mindport.config.problem import ConfigurationError
from mindport.model.finding import Finding, Severity
from mindport.model.span import Span

Line = tuple[str, str, str]  # code, API and source
A = ("MP102", "torch.a", "x = torch.a()")
EDITED = ("MP102", "torch.a", "x = torch.a(1)")
B = ("MP102", "torch.b", "y = torch.b()")
HINT = ("MP110", "torch.c", "z = torch.c()")


def report(path: str, lines: Sequence[Line], readable: bool = True) -> FileReport:
    findings = tuple(
        Finding(code, Severity.HINT if code == "MP110" else Severity.WARNING, Span(at, 0, at, 1), "", api)
        for at, (code, api, _) in enumerate(lines, start=1)
    )
    sources = tuple(source for *_, source in lines)
    return FileReport(path, findings, (None,) * len(lines), is_readable=readable, sources=sources)


def accepted(files: dict[str, Sequence[Line]]) -> Baseline:
    matching = Matching(Baseline(), "/p", Severity.WARNING, lambda _: True)
    for file, lines in files.items():
        matching.known(report(f"/p/{file}", lines))
    return matching.as_found("a target")


@pytest.mark.parametrize(
    ("before", "now", "known"),
    [
        ([A, B], [A, B], {0, 1}),
        ([A, B], [B, A], {0, 1}),  # moved
        ([A], [A, A], {0}),  # once more
        ([A, A], [A], {0}),
        ([A], [EDITED], {0}),
        ([A], [EDITED, A], {1}),  # the line that was accepted is known, wherever it stands
        ([A, A], [EDITED, A, EDITED], {0, 1}),
        ([A], [B], set()),
        ([A], [("MP101", "torch.a", A[2])], set()),  # another kind of finding on the same line
        ([HINT], [HINT], set()),  # hints fail no run and are not accepted
        ([], [A], set()),
    ],
)
def test_one_file(before: list[Line], now: list[Line], known: set[int]) -> None:
    matching = Matching(accepted({"a.py": before}), "/p", Severity.WARNING, lambda _: True)
    assert matching.known(report("/p/a.py", now)) == known


@pytest.mark.parametrize(
    ("exists", "now", "known"),
    [
        (False, [B, A], {0, 1}),
        (False, [EDITED], set()),  # in another file only the same line is known
        (True, [B, A], set()),  # a copy
    ],
)
def test_renamed_files(exists: bool, now: list[Line], known: set[int]) -> None:
    matching = Matching(accepted({"a.py": [A, B]}), "/p", Severity.WARNING, lambda _: exists)
    assert matching.known(report("/p/b.py", now)) == known


def test_renamed_file_with_its_changes() -> None:
    matching = Matching(accepted({"a.py": [A, B]}), "/p", Severity.WARNING, lambda _: False)
    matching.known(report("/p/b.py", [A]))
    rows = [(row.file, row.accepted, row.now, row.new, row.gone) for row in matching.changes()]
    assert rows == [("a.py", 2, 0, 0, 1), ("b.py", 0, 1, 0, 0)]
    assert matching.pruned("").findings == (Accepted("b.py", *A),)


def test_only_what_was_checked_is_written() -> None:
    matching = Matching(accepted({"a.py": [A], "b.py": [B]}), "/p", Severity.WARNING, lambda _: True)
    matching.known(report("/p/a.py", [EDITED, B]))
    assert matching.as_found("").findings == (
        Accepted("a.py", *EDITED),
        Accepted("a.py", *B),
        Accepted("b.py", *B),
    )
    assert matching.pruned("").findings == (Accepted("a.py", *EDITED), Accepted("b.py", *B))
    assert [(row.file, row.new, row.gone) for row in matching.changes()] == [("a.py", 1, 0)]


def test_a_file_that_could_not_be_read_keeps_what_was_accepted() -> None:
    baseline = accepted({"a.py": [A]})
    matching = Matching(baseline, "/p", Severity.WARNING, lambda _: True)
    unreadable = report("/p/a.py", [("MP902", "", "")], readable=False)
    assert matching.known(unreadable) == set()
    assert matching.pruned("").findings == matching.as_found("").findings == baseline.findings


@pytest.mark.parametrize("code", ["MP901", "MP903", "MP904"])
def test_findings_about_the_tool_are_never_accepted(code: str) -> None:
    assert accepted({"a.py": [(code, "", "x")]}).findings == ()


def test_hints_are_accepted_where_they_fail_the_run() -> None:
    matching = Matching(Baseline(), "/p", Severity.HINT, lambda _: True)
    matching.known(report("/p/a.py", [HINT]))
    assert matching.as_found("").count == 1


def test_the_file_has_a_line_for_each_finding() -> None:
    baseline = accepted({"文.py": [A, A, B], "a.py": [("MP102", "torch.q", 'f("\n\x1b")')]})
    text = baseline_text(baseline)
    assert read_baseline(text.encode(), "f") == baseline
    assert len(text.splitlines()) == 4 + 3 + 2
    assert read_baseline(baseline_text(Baseline()).encode(), "f") == Baseline()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is no baseline"),
        (b'{"findings": [{"file": 1}]}', "is no baseline: Expected `str`"),
        (b'{"format": 2, "findings": []}', "format 2, which this version does not know"),
        (b"<<<<<<< HEAD", "is no baseline"),
    ],
)
def test_files_that_are_no_baseline(content: bytes, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        read_baseline(content, "mindport-baseline.json")
