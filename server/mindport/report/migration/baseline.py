"""How to time the original and its port, as code to start from."""

from __future__ import annotations

from mindport.mapping.plan import MindSporeSide
from mindport.model.target import Device
from mindport.report.migration.rows import StepTimers

_TIMER = """\
import time

import {framework}


def seconds_per_step(step, warm_up=10, steps=50):
    for _ in range(warm_up):
        step()
    {synchronize}
    start = time.perf_counter()
    for _ in range(steps):
        step()
    {synchronize}
    return (time.perf_counter() - start) / steps"""

_NEWEST_FIRST = ("mindspore.runtime.synchronize", "mindspore.hal.synchronize")


def baseline(mindspore: MindSporeSide, device: Device) -> StepTimers:
    """The two programs. They wait for the device before each reading of the clock, the port's with what the target
    version has for it; on the CPU a step that returns is done."""
    name = next((name for name in _NEWEST_FIRST if mindspore.has(name)), _NEWEST_FIRST[0])
    if device is Device.CPU:
        return StepTimers(original=_timer("torch", ""), port=_timer("mindspore", ""))
    return StepTimers(
        original=_timer("torch", "torch.cuda.synchronize()"), port=_timer("mindspore", f"{name}()")
    )


def _timer(framework: str, synchronize: str) -> str:
    text = _TIMER.format(framework=framework, synchronize=synchronize)
    if synchronize:
        return text
    return "\n".join(line for line in text.splitlines() if line != "    ").replace(
        f"import {framework}\n\n\n", "\n"
    )
