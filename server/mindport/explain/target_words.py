"""The target of a card in words."""

from __future__ import annotations

from mindport.model.language import later, say, translated
from mindport.model.target import Mode, Target

MODES = {Mode.PYNATIVE: later("PyNative"), Mode.GRAPH: later("graph mode")}


def target_words(target: Target, mode: Mode | None = None) -> str:
    """`MindSpore 2.10.0 on CPU, PyNative`; `mode` where it is another than the target's."""
    return say(
        "MindSpore {version} on {device}, {mode}",
        version=target.version,
        device=target.device.value,
        mode=translated(MODES[mode or target.mode]),
    )
