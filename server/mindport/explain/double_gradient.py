"""What a run of a gradient of a gradient with the installed MindSpore showed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mindport.model.language import later, listing, say, translated
from mindport.model.target import Device, Version

ALLOWED = 1e-3  # relative difference between PyNative and graph mode
_STAGES = {
    "import": later("the file is imported"),
    "build": later("the entry is there"),
    "inputs": later("there are inputs for it"),
    "forward": later("it runs"),
    "first": later("its gradient runs"),
    "graph": later("the gradient of the gradient compiles and runs as a graph"),
    "pynative": later("the gradient of the gradient runs in PyNative"),
}
_FAILED = {
    "import": later("the file cannot be imported"),
    "build": later("the entry cannot be made"),
    "inputs": later("it has no inputs"),
    "forward": later("it does not run"),
    "first": later("its gradient fails"),
    "graph": later("the gradient of the gradient fails in graph mode"),
    "pynative": later("the gradient of the gradient fails in PyNative"),
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
    lines = [
        say(
            "{installed}, as installed{with_inputs}:",
            installed=_installed(answer, device),
            with_inputs=_with_inputs(answer),
        )
    ]
    stages = answer.get("stages")
    ran = [str(stage) for stage in stages] if isinstance(stages, list) else []
    errors = _errors(answer)
    for stage, words in _STAGES.items():
        if stage in ran:
            lines.append(say("  yes  {words}", words=translated(words)))
        elif stage in errors:
            lines.append(say("  no   {words}: {error}", words=translated(words), error=_short(errors[stage])))
    return "\n".join([*lines, *_conclusions(answer, facts)]) + "\n"


def double_gradient_sentence(
    entry: str, answer: Mapping[str, object], device: Device, facts: Emitters
) -> str:
    """The same for a message: what failed first, or that nothing did."""
    found = _conclusions(answer, facts)
    if not found:
        errors = _errors(answer)
        stage = next((one for one in _STAGES if one in errors), "")
        found = [
            f"{translated(_FAILED[stage])}: {_short(errors[stage])}" if stage else say("nothing was run.")
        ]
    where = f"{_installed(answer, device)}{_with_inputs(answer)}"
    return say(
        "`{entry}` differentiated twice with {where}: {found}",
        entry=entry,
        where=where,
        found=" ".join(found),
    )


def _installed(answer: Mapping[str, object], device: Device) -> str:
    return say(
        "MindSpore {version} on {device}",
        version=answer.get("version") or say("(not imported)"),
        device=device.value,
    )


def _with_inputs(answer: Mapping[str, object]) -> str:
    shapes = answer.get("inputs")
    if not isinstance(shapes, list) or not shapes:
        return ""
    return say(
        " with inputs of shape {shapes}", shapes=listing([",".join(map(str, shape)) for shape in shapes])
    )


def _errors(answer: Mapping[str, object]) -> dict[str, str]:
    error = answer.get("error")
    return {str(stage): str(text) for stage, text in error.items()} if isinstance(error, dict) else {}


def _conclusions(answer: Mapping[str, object], facts: Emitters) -> list[str]:
    """The first failing link, and whether the two modes agree; a sentence each."""
    found = []
    missing = str(answer.get("missing") or "")
    if missing:
        emitters = facts.emitters(missing)
        before = f"{listing(emitters, is_choice=True)} -> " if emitters else ""
        found.append(
            say("First failing link: {before}{missing}, which has no bprop.", before=before, missing=missing)
        )
    difference = answer.get("difference")
    if isinstance(difference, float):
        if difference > ALLOWED:
            found.append(
                say(
                    "PyNative is wrong: it differs from graph mode by {difference:.2g} of the largest "
                    "value. Run the inner gradient under `ms.jit`.",
                    difference=difference,
                )
            )
        else:
            found.append(say("PyNative and graph mode agree to {difference:.1g}.", difference=difference))
    return found


def _short(text: str) -> str:
    text = text.partition(" - C++ Call Stack")[0].partition(" ------")[0]
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
