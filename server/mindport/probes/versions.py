"""Which torch, MindSpore and NumPy the interpreter has. Nothing of them is imported, so it answers at once.

The request is empty. The answer has `python`, `torch`, `mindspore` and `numpy`: a version, an empty string where
the package is there but nothing tells its version, null where it is not."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
from typing import Any

from probe_channel import serve_once

# import name -> the distributions that bring it
DISTRIBUTIONS = {
    "torch": ("torch",),
    "mindspore": ("mindspore", "mindspore-ascend", "mindspore-gpu", "mindspore-dev"),
    "numpy": ("numpy",),
}


def version_of(package: str) -> str | None:
    """The installed version of a package, without the part after a plus sign."""
    if importlib.util.find_spec(package) is None:
        return None
    for distribution in DISTRIBUTIONS[package]:
        try:
            return importlib.metadata.version(distribution).partition("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def probe(_request: Any) -> dict[str, str | None]:
    """The answer, whatever is asked."""
    return {"python": platform.python_version(), **{name: version_of(name) for name in DISTRIBUTIONS}}


if __name__ == "__main__":
    serve_once(probe)
