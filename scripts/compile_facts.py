"""Writes the compiled copies of the framework facts in mappings/_compiled, for the wheel."""

from __future__ import annotations

import sys

from mindport.registry import mindspore_facts, torch_facts
from mindport.registry.mindspore import all_versions


def main() -> int:
    """Load everything once: what is missing or out of date is written on the way."""
    torch = torch_facts()
    torch.signatures("torch.add")
    versions = [str(mindspore_facts(version).collected_version) for version in all_versions()]
    print(f"torch {torch.version}, mindspore {', '.join(versions)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
