"""Build hook for hatch: compiles the mappings, the framework facts and the translations, so that an installed mindport
reads neither YAML nor JSON. The compiled files are no part of the repository; they are made for the wheel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledData(BuildHookInterface):  # type: ignore[type-arg]
    """Makes `mappings/_compiled` before the wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "editable" for an installation that uses the checkout, which compiles on demand."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "server"))
        from mindport.mapping.index import compile_index
        from mindport.registry import mindspore_facts, torch_facts
        from mindport.registry.compiled import forget_times
        from mindport.registry.mindspore import all_versions
        from mindport.registry.texts import compile_all

        torch_facts().signatures("torch.cat")  # names and signatures are compiled apart
        for collected in all_versions():
            mindspore_facts(collected)
        forget_times()
        compile_index(root / "mappings")
        compile_all()
