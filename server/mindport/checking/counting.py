"""What counts for the readiness of a project, and what is listed apart from it: one definition for the command
line, the report, the inventory and the editor."""

from __future__ import annotations

from collections.abc import Collection

from mindport.model.verdict import Applicability, Verdict
from mindport.usage.api_use import ApiUse, Form

IMPORT_LINES = "import lines"  # which follow from the uses
# Why a reference is no part of the network's rate, in the order of the page.
_APART_FORMS = {
    Form.OPERATOR: "operators and indexing",
    Form.INDEX: "operators and indexing",
    Form.FORMAT: "operators and indexing",
    Form.SIZES: "operators and indexing",
    Form.ANNOTATION: "annotations",
    Form.IMPORT: IMPORT_LINES,
    Form.OVERRIDE: "methods that the framework calls",
    Form.CONFIG: "names in configuration files",
}
_DATA = "data code"
_LIBRARY = "libraries built on torch"
_GUARDED = "code already written for two frameworks"
KINDS_APART = (*dict.fromkeys(_APART_FORMS.values()), _LIBRARY, _GUARDED, _DATA)
_READY_AFTER_FIX = (Verdict.RENAMED, Verdict.EQUIVALENT, Verdict.COMPOSED, Verdict.DIFFERS)


def kind_apart(use: ApiUse, *, is_data: bool) -> str:
    """Why a use does not count for the network; empty if it does. `is_data`: it is in code that only prepares data."""
    if use.library:
        return _LIBRARY
    if use.form in _APART_FORMS:
        return _APART_FORMS[use.form]
    if use.guarded:
        return _GUARDED
    return _DATA if is_data else ""


def is_data_code(use: ApiUse, data: Collection[str]) -> bool:
    """Whether a use is in one of the functions that only prepare data, or in what those hold."""
    if not data:
        return False
    parts = use.scope.split(".")
    return any(".".join(parts[:count]) in data for count in range(1, len(parts) + 1))


def is_ready(verdict: Verdict, fix: Applicability | None) -> bool:
    """Whether a reference works as it is, or after a safe fix."""
    return verdict is Verdict.SAME or (verdict in _READY_AFTER_FIX and fix is Applicability.SAFE)
