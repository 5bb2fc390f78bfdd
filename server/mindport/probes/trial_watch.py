"""Notes how far a program comes, from outside of it: the networks that it builds, their first calls, the steps of its
optimizers. After enough steps it lets the program go on to the next call of a network, so that what belongs to a step
(logs, schedules) is tried, too, and ends the process there."""

from __future__ import annotations

import functools
import os
import zlib
from typing import Any, Callable

STAGES = ("build", "forward", "train")
# Optimizers that wait for others (a critic steps five times before the generator does) get this many steps in all.
PATIENCE = 20
# A warm-up may begin with a rate of zero.
UNCHANGED = 5


class StepFailed(Exception):
    """An optimizer was applied and did not do its work; the message says how."""


class TrialWatch:
    """The events of one program. `send` takes each as a dict; `finish` ends the process."""

    def __init__(
        self, send: Callable[[dict[str, Any]], None], finish: Callable[[], None], steps: int
    ) -> None:
        self._send = send
        self._finish = finish
        self._steps = steps
        self._process = os.getpid()
        self._built: list[Any] = []
        self._running = 0
        self._called: set[int] = set()
        self._taken: dict[int, int] = {}
        self._unchanged = 0
        self._is_enough = False
        self.reached: set[str] = set()

    def install(self) -> None:
        """Begin to watch. From here on every Cell and every optimizer is noted."""
        from mindspore import nn
        from mindspore.experimental.optim.optimizer import Optimizer

        self._cell = nn.Cell
        self._optimizers = (nn.Optimizer, Optimizer)
        self._wrappers = "mindspore.nn.wrap."
        make, call = nn.Cell.__init__, nn.Cell.__call__

        @functools.wraps(make)
        def noted_init(cell: Any, *args: Any, **kwargs: Any) -> None:
            make(cell, *args, **kwargs)
            if not self._is_mine():
                return
            if isinstance(cell, self._optimizers):
                self._taken.setdefault(id(cell), 0)
            elif "build" not in self.reached:
                self._built.append(cell)

        @functools.wraps(call)
        def noted_call(cell: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._is_mine():
                return call(cell, *args, **kwargs)
            if isinstance(cell, self._optimizers):
                return self._step(cell, lambda: call(cell, *args, **kwargs))
            if self._running:
                return call(cell, *args, **kwargs)
            return self._root_call(cell, lambda: call(cell, *args, **kwargs))

        nn.Cell.__init__, nn.Cell.__call__ = noted_init, noted_call

    @property
    def has_optimizer(self) -> bool:
        """Whether the program made one."""
        return bool(self._taken)

    def note_networks(self) -> None:
        """Note that a network was built, though none was called yet. Not while one is being built."""
        network = next((cell for cell in self._built if self._is_network(cell)), None)
        if network is not None:
            self.reach("build", network)

    def stage_of(self, making: list[Any], running: list[Any]) -> str:
        """The stage that a failure belongs to. `making` are the objects whose `__init__` it went through, `running`
        those whose `construct`, from outside in."""
        if any(map(self._is_part, making)):
            return "build"
        self.note_networks()
        networks = [one for one in running if self._is_part(one)]
        if networks and id(networks[0]) not in self._called:
            return "forward"
        if "forward" in self.reached and not self.has_optimizer:
            return "forward"
        return next((stage for stage in STAGES if stage not in self.reached), "train")

    def reach(self, stage: str, cell: Any) -> None:
        """Note a stage once, and that those before it are behind."""
        for one in STAGES[: STAGES.index(stage) + 1]:
            if one not in self.reached:
                self.reached.add(one)
                self._send({"kind": one, "what": type(cell).__name__})
        self._built.clear()

    def _is_mine(self) -> bool:
        return os.getpid() == self._process  # not in processes that the program forks

    def _is_part(self, value: Any) -> bool:
        """Whether it is a Cell that is no optimizer and no wrapper around a step."""
        return (
            isinstance(value, self._cell)
            and not isinstance(value, self._optimizers)
            and not type(value).__module__.startswith(self._wrappers)
        )

    def _is_network(self, cell: Any) -> bool:
        """Losses, schedules and activations are Cells, too; a network has weights."""
        try:
            return (
                not isinstance(cell, self._optimizers) and next(iter(cell.get_parameters()), None) is not None
            )
        except Exception:  # noqa: BLE001 - one whose construction did not begin in Cell
            return False

    def _root_call(self, cell: Any, run: Callable[[], Any]) -> Any:
        if self._is_enough:
            self._finish()
        is_wrapper = type(cell).__module__.startswith(self._wrappers)
        if self._is_network(cell):
            self.reach("build", cell)
        inner = [one for _, one in cell.cells_and_names() if isinstance(one, self._optimizers)]
        before = [(one, self._taken.get(id(one), 0), _digests(one)) for one in inner]
        self._running += not is_wrapper
        try:
            result = run()
        finally:
            self._running -= not is_wrapper
        if self._is_network(cell):
            self._called.add(id(cell))
            self.reach("forward", cell)
        for optimizer, taken, digests in before:  # a compiled step calls none of them from Python
            is_applied = is_wrapper or _digests(optimizer) != digests
            # A network may hold its optimizer, and be called many times before that is applied.
            if is_applied and self._taken.get(id(optimizer), 0) == taken:
                self._check(optimizer, digests)
        return result

    def _step(self, optimizer: Any, run: Callable[[], Any]) -> Any:
        if self._is_enough:
            self._finish()
        before = _digests(optimizer)
        self._running += 1  # what an optimizer calls is no network
        try:
            result = run()
        finally:
            self._running -= 1
        self._check(optimizer, before)
        return result

    def _check(self, optimizer: Any, before: list[int]) -> None:
        """Count a step that changed parameters; raise StepFailed where a step is none."""
        name = type(optimizer).__name__
        for parameter in optimizer.parameters:
            if not _is_finite(parameter):
                raise StepFailed(f"after a step of {name} the parameter {parameter.name} is not finite")
        if _digests(optimizer) == before:
            self._unchanged += 1
            if self._unchanged >= UNCHANGED:
                raise StepFailed(f"{self._unchanged} steps of {name} changed no parameter")
            return
        self._unchanged = 0
        self._taken[id(optimizer)] = self._taken.get(id(optimizer), 0) + 1
        self.reach("train", optimizer)
        taken = self._taken.values()
        self._is_enough = min(taken) >= self._steps or sum(taken) >= self._steps * len(taken) + PATIENCE


def _digests(optimizer: Any) -> list[int]:
    return [zlib.crc32(_array(parameter).tobytes()) for parameter in optimizer.parameters]


def _is_finite(parameter: Any) -> bool:
    import numpy

    return bool(numpy.isfinite(_array(parameter)).all())


def _array(parameter: Any) -> Any:
    import mindspore

    kept = parameter.astype(mindspore.float32) if parameter.dtype == mindspore.bfloat16 else parameter
    return kept.asnumpy()
