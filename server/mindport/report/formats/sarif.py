"""`sarif`: SARIF 2.1.0, which code scanning of GitHub, Azure DevOps, and SARIF viewers in editors read.

Places are counted in code points from the root of the repository. `partialFingerprints` tell a result again whose line
moved. A place in a notebook is named by its cell, because its lines are none of the file."""

from __future__ import annotations

import re
from urllib.parse import quote

from mindport import __version__
from mindport.explain.card import rule_page
from mindport.report.formats.format import Destination, Format, Row, Writer
from mindport.report.json_text import json_text
from mindport.report.rows import ChangeRow, EditRow, FindingRow, RelatedRow, Summary
from mindport.rules.discover import all_rules
from mindport.rules.rule import Rule

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_FINGERPRINT = "mindport/v1"
_LINK = re.compile(r"\[([^\[\]]*)\]\(")
_PLACEHOLDER = re.compile(r"\{\d+\}")


class SarifWriter(Writer):
    """Writes one log with one run at the end."""

    def __init__(self, destination: Destination) -> None:
        super().__init__(destination)
        self._rules: dict[str, int] = {}
        self._results: list[dict[str, object]] = []

    def row(self, row: Row) -> None:
        """Keep one result."""
        assert isinstance(row, FindingRow)  # the inventory is not offered in this form
        result: dict[str, object] = {
            "ruleId": row.code,
            "ruleIndex": self._rules.setdefault(row.code, len(self._rules)),
            "level": _LEVELS[row.severity],
            "message": {"text": _plain(row.message)},
            "locations": [self._location(row)],
            "partialFingerprints": {_FINGERPRINT: row.fingerprint},
        }
        if row.related:
            result["relatedLocations"] = [
                {"id": number, "message": {"text": _plain(place.message)}, **self._location(place)}
                for number, place in enumerate(row.related, start=1)
            ]
        properties = {"api": row.api, "confidence": row.confidence, "fix": row.fix or "none"}
        change = row.change
        if isinstance(change, ChangeRow):
            if change.edits:
                result["fixes"] = [self._fix(row, change)]
            else:
                properties["withoutEdits"] = change.reason
        result["properties"] = properties
        self._results.append(result)

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the log."""
        known = all_rules()
        driver = {
            "name": "mindport",
            "version": __version__,
            "rules": [_descriptor(known[code]) for code in self._rules],
        }
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
            "results": self._results,
            "properties": {"targets": [str(target) for target in summary.targets]},
        }
        log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        self.sink(json_text(log))

    def _fix(self, row: FindingRow, change: ChangeRow) -> dict[str, object]:
        replacements = [
            {"deletedRegion": _region(edit), "insertedContent": {"text": edit.text}} for edit in change.edits
        ]
        return {
            "description": {"text": _plain(change.title)},
            "artifactChanges": [{"artifactLocation": self._artifact(row.file), "replacements": replacements}],
        }

    def _artifact(self, file: str) -> dict[str, object]:
        path = self.destination.path(file)
        artifact: dict[str, object] = {"uri": quote(path)}
        if not path.startswith("/") and ":" not in path:
            artifact["uriBaseId"] = "SRCROOT"
        return artifact

    def _location(self, place: FindingRow | RelatedRow) -> dict[str, object]:
        physical: dict[str, object] = {"artifactLocation": self._artifact(place.file)}
        if isinstance(place, FindingRow) and place.cell is not None:
            name = f"cell {place.cell}, line {place.line}"
            return {"physicalLocation": physical, "logicalLocations": [{"name": name, "kind": "cell"}]}
        physical["region"] = _region(place)
        return {"physicalLocation": physical}


def _region(place: FindingRow | RelatedRow | EditRow) -> dict[str, object]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _plain(message: str) -> str:
    """A message in which nothing is read as a link to a place or as a placeholder."""
    return _PLACEHOLDER.sub(r"{\g<0>}", _LINK.sub(r"\\[\1\\](", message))


def _descriptor(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page.strip(), "markdown": rule_page(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity.label]},
    }


FORMAT = Format(SarifWriter)
