"""What a run of a gradient of a gradient with the installed MindSpore showed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mindport.model.target import Device, Version

ALLOWED = 1e-3  # relative difference between PyNative and graph mode
_STAGES = {
    "import": "the file is imported",
    "build": "the entry is there",
    "forward": "it runs",
    "first": "its gradient runs",
    "graph": "the gradient of the gradient compiles and runs as a graph",
    "pynative": "the gradient of the gradient runs in PyNative",
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
    lines = [f"MindSpore {answer.get('version') or '(not imported)'} on {device.value}, as installed:"]
    stages = answer.get("stages")
    ran = [str(stage) for stage in stages] if isinstance(stages, list) else []
    error = answer.get("error")
    errors = {str(stage): str(text) for stage, text in error.items()} if isinstance(error, dict) else {}
    for stage, words in _STAGES.items():
        if stage in ran:
            lines.append(f"  yes  {words}")
        elif stage in errors:
            lines.append(f"  no   {words}: {_short(errors[stage])}")
    missing = str(answer.get("missing") or "")
    if missing:
        emitters = facts.emitters(missing)
        before = f"{' or '.join(emitters)} -> " if emitters else ""
        lines.append(f"First failing link: {before}{missing}, which has no bprop.")
    difference = answer.get("difference")
    if isinstance(difference, float):
        if difference > ALLOWED:
            lines.append(
                f"PyNative is wrong: it differs from graph mode by {difference:.2g} of the largest value. "
                "Run the inner gradient under `ms.jit`."
            )
        else:
            lines.append(f"PyNative and graph mode agree to {difference:.1g}.")
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    text = text.partition(" - C++ Call Stack")[0].partition(" ------")[0]
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
