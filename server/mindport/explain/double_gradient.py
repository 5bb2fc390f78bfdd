"""What a run of a gradient of a gradient with the installed MindSpore showed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mindport.model.target import Device, Version

ALLOWED = 1e-3  # relative difference between PyNative and graph mode
_STAGES = {
    "import": "the file is imported",
    "build": "the entry is there",
    "inputs": "there are inputs for it",
    "forward": "it runs",
    "first": "its gradient runs",
    "graph": "the gradient of the gradient compiles and runs as a graph",
    "pynative": "the gradient of the gradient runs in PyNative",
}
_FAILED = {
    "import": "the file cannot be imported",
    "build": "the entry cannot be made",
    "inputs": "it has no inputs",
    "forward": "it does not run",
    "first": "its gradient fails",
    "graph": "the gradient of the gradient fails in graph mode",
    "pynative": "the gradient of the gradient fails in PyNative",
}
_LONGEST = 300


class Emitters(Protocol):
    """Who emits an operator; `registry.bprops.SecondOrderFacts` fits."""

    @property
    def collected_version(self) -> Version:
        """The version that the data are of."""

    def emitters(self, operator: str) -> tuple[str, ...]:
        """The operators whose bprop may emit it."""


def is_right(answer: Mapping[str, object]) -> bool:
    """Whether both modes ran and agree."""
    difference = answer.get("difference")
    return not answer.get("error") and isinstance(difference, float) and difference <= ALLOWED


def double_gradient_text(answer: Mapping[str, object], device: Device, facts: Emitters) -> str:
    """What ran, the first link that fails, and whether the two modes agree."""
    lines = [f"{_installed(answer, device)}, as installed{_with_inputs(answer)}:"]
    stages = answer.get("stages")
    ran = [str(stage) for stage in stages] if isinstance(stages, list) else []
    errors = _errors(answer)
    for stage, words in _STAGES.items():
        if stage in ran:
            lines.append(f"  yes  {words}")
        elif stage in errors:
            lines.append(f"  no   {words}: {_short(errors[stage])}")
    return "\n".join([*lines, *_conclusions(answer, facts)]) + "\n"


def double_gradient_sentence(
    entry: str, answer: Mapping[str, object], device: Device, facts: Emitters
) -> str:
    """The same for a message: what failed first, or that nothing did."""
    found = _conclusions(answer, facts)
    if not found:
        errors = _errors(answer)
        stage = next((one for one in _STAGES if one in errors), "")
        found = [f"{_FAILED[stage]}: {_short(errors[stage])}" if stage else "nothing was run."]
    where = f"{_installed(answer, device)}{_with_inputs(answer)}"
    return f"`{entry}` differentiated twice with {where}: {' '.join(found)}"


def _installed(answer: Mapping[str, object], device: Device) -> str:
    return f"MindSpore {answer.get('version') or '(not imported)'} on {device.value}"


def _with_inputs(answer: Mapping[str, object]) -> str:
    shapes = answer.get("inputs")
    if not isinstance(shapes, list) or not shapes:
        return ""
    return f" with inputs of shape {' and '.join(','.join(map(str, shape)) for shape in shapes)}"


def _errors(answer: Mapping[str, object]) -> dict[str, str]:
    error = answer.get("error")
    return {str(stage): str(text) for stage, text in error.items()} if isinstance(error, dict) else {}


def _conclusions(answer: Mapping[str, object], facts: Emitters) -> list[str]:
    """The first failing link, and whether the two modes agree; a sentence each."""
    found = []
    missing = str(answer.get("missing") or "")
    if missing:
        emitters = facts.emitters(missing)
        before = f"{' or '.join(emitters)} -> " if emitters else ""
        found.append(f"First failing link: {before}{missing}, which has no bprop.")
    difference = answer.get("difference")
    if isinstance(difference, float):
        if difference > ALLOWED:
            found.append(
                f"PyNative is wrong: it differs from graph mode by {difference:.2g} of the largest value. "
                "Run the inner gradient under `ms.jit`."
            )
        else:
            found.append(f"PyNative and graph mode agree to {difference:.1g}.")
    return found


def _short(text: str) -> str:
    text = text.partition(" - C++ Call Stack")[0].partition(" ------")[0]
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
