"""Converts a torch checkpoint for a port: what the probe `convert_weights` found, as data, and its file in place."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from mindport.model.target import Target
from mindport.registry.probe import ProbeFailure, run_probe


class Checkpoint(msgspec.Struct, frozen=True):
    """What to convert: the weights in `source` (under `key`, or where they are found) for the port that `entry`
    builds in the file `model`; `out` is the .ckpt to write. With `is_partial` it is written whatever is left over."""

    source: Path
    out: Path
    model: Path
    entry: str
    key: str | None = None
    is_partial: bool = False


class WeightsOutcome(msgspec.Struct, frozen=True):
    """Every tensor of the checkpoint and of the port in one of the lists, by name with what there is to say of it.
    `converted` has the change of dtype of each tensor that was
    loaded with one; `error` says why nothing could be done; `prefix` was taken off all names."""

    error: str = ""
    trace: str = ""
    key: str = ""
    prefix: str = ""
    loaded: tuple[str, ...] = ()
    converted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    mismatched: tuple[str, ...] = ()
    not_needed: tuple[str, ...] = ()
    is_written: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all of the checkpoint has a place, and all of the port a value."""
        return not (self.error or self.missing or self.unexpected or self.mismatched)


def convert_weights(
    checkpoint: Checkpoint, target: Target, interpreter: Path, path: list[str], seconds: float
) -> WeightsOutcome:
    """Convert with `interpreter` within `seconds`; `path` are folders to import from. `out` is replaced whole or not at
    all. Never raises for what the checkpoint holds or the port does."""
    out = checkpoint.out.absolute()
    try:
        with tempfile.TemporaryDirectory(prefix=".mindport-", dir=out.parent) as folder:
            written = Path(folder) / "weights.ckpt"
            request: dict[str, object] = {
                "checkpoint": str(checkpoint.source.absolute()),
                "key": checkpoint.key,
                "file": str(checkpoint.model.absolute()),
                "entry": checkpoint.entry,
                "path": path,
                "device": target.device.value,
                "out": str(written),
                "is_partial": checkpoint.is_partial,
            }
            answer = run_probe(interpreter, "convert_weights", request, seconds)
            if isinstance(answer, ProbeFailure):
                return WeightsOutcome(answer.reason, answer.output)
            outcome = msgspec.convert(answer.content, WeightsOutcome)
            if outcome.is_written:
                written.chmod(0o644)  # MindSpore makes it read-only
                os.replace(written, out)  # noqa: PTH105
            return outcome
    except OSError as error:
        return WeightsOutcome(f"{checkpoint.out} cannot be written: {error.strerror or error}")
    except msgspec.ValidationError:
        return WeightsOutcome(f"{interpreter} gave no answer that can be read")
