"""Which findings the settings let through, and how loud they are."""

from __future__ import annotations

import msgspec
import pytest

from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.finding import Severity

# settings, code, reported
REPORTED: list[tuple[dict[str, object], str, bool]] = [
    ({}, "MP101", True),
    ({}, "MP901", True),
    ({"preset": "silent-only"}, "MP101", True),
    ({"preset": "silent-only"}, "MP102", False),
    # A second order that comes out as zero is silent; one that raises is not, and one that nobody knows says nothing.
    ({"preset": "silent-only"}, "MP201", False),
    ({"preset": "silent-only"}, "MP202", True),
    ({"preset": "silent-only"}, "MP203", True),
    ({"preset": "silent-only"}, "MP204", False),
    ({"preset": "silent-only"}, "MP205", False),
    ({"preset": "silent-only"}, "MP501", True),
    ({"preset": "silent-only"}, "MP502", False),
    ({"preset": "silent-only"}, "MP901", True),
    ({"preset": "silent-only", "select": ["MP102"]}, "MP102", True),
    ({"select": ["MP1"]}, "MP102", True),
    ({"select": ["MP1"]}, "MP201", False),
    ({"ignore": ["MP1"]}, "MP102", False),
    ({"ignore": ["ALL"]}, "MP102", False),
    ({"ignore": ["ALL"], "select": ["MP102"]}, "MP102", True),
    ({"ignore": ["MP1"], "select": ["MP102"]}, "MP102", True),
    ({"ignore": ["MP102"], "select": ["MP102"]}, "MP102", False),
    ({"ignore": ["MP102"], "select": ["MP1"]}, "MP103", True),
    ({"per-file-ignores": {"tests/**": ["MP1"]}}, "MP102", True),
    ({"per-file-ignores": {"src/*.py": ["MP1"]}}, "MP102", False),
    ({"per-file-ignores": {"src/*.py": ["MP2"]}}, "MP102", True),
    ({"per-file-ignores": {"a.py": ["ALL"]}}, "MP102", False),
    ({"min-severity": "error"}, "MP102", False),
    ({"min-severity": "warning"}, "MP102", True),
]


@pytest.mark.parametrize(("values", "code", "reported"), REPORTED)
def test_reported(values: dict[str, object], code: str, reported: bool) -> None:
    rules = RuleFilter(msgspec.convert(values, Settings), "/project")
    assert rules.is_reported(code, Severity.WARNING, "/project/src/a.py") is reported


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ({}, Severity.WARNING),
        ({"MP102": "error"}, Severity.ERROR),
        ({"MP1": "hint"}, Severity.HINT),
        ({"MP1": "hint", "MP102": "error"}, Severity.ERROR),
        ({"ALL": "hint"}, Severity.HINT),
        ({"MP2": "hint"}, Severity.WARNING),
    ],
)
def test_severity(levels: dict[str, str], expected: Severity) -> None:
    rules = RuleFilter(msgspec.convert({"severity": levels}, Settings))
    assert rules.severity("MP102", Severity.WARNING) is expected
