"""A machine without torch: a port that still needs it must fail."""

from __future__ import annotations

from typing import Any


class TorchIsMissing:
    """Refuses torch, as a machine without it does: a port that still needs it must not pass here."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raise for torch."""
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
