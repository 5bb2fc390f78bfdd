"""What counts for the readiness of a network, and what is listed apart from it."""

from __future__ import annotations

from mindport.check.outcome import Reference
from mindport.model.verdict import Applicability, Verdict
from mindport.usage.api_use import Form

# Why a reference is no part of the network's rate, in the order of the page.
_APART_FORMS = {
    Form.OPERATOR: "operators and indexing",
    Form.INDEX: "operators and indexing",
    Form.FORMAT: "operators and indexing",
    Form.SIZES: "operators and indexing",
    Form.ANNOTATION: "annotations",
    Form.IMPORT: "import lines",
    Form.OVERRIDE: "methods that the framework calls",
    Form.CONFIG: "names in configuration files",
}
_DATA = "data code"
_LIBRARY = "libraries built on torch"
_GUARDED = "code already written for two frameworks"
KINDS_APART = (*dict.fromkeys(_APART_FORMS.values()), _LIBRARY, _GUARDED, _DATA)
_READY_AFTER_FIX = (Verdict.RENAMED, Verdict.EQUIVALENT, Verdict.COMPOSED, Verdict.DIFFERS)


def kind_apart(reference: Reference, *, is_data: bool) -> str:
    """Why a reference does not count for the network; empty if it does. `is_data`: it is in code that only prepares
    data."""
    use = reference.use
    if use.library:
        return _LIBRARY
    if use.form in _APART_FORMS:
        return _APART_FORMS[use.form]
    if use.guarded:
        return _GUARDED
    return _DATA if is_data else ""


def is_ready(reference: Reference) -> bool:
    """Whether a reference works as it is, or after a safe fix."""
    return reference.verdict is Verdict.SAME or (
        reference.verdict in _READY_AFTER_FIX and reference.fix is Applicability.SAFE
    )
