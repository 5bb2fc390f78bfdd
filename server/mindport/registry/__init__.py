"""Generated facts about torch and MindSpore, read only: what exists, how it is called, what it returns,
where it runs.

Nothing here judges; nothing here imports a framework. `scripts/collect_*_facts.py` write the data."""

from __future__ import annotations

from mindport.registry.mindspore import MindSporeFacts, collected_versions, mindspore_facts
from mindport.registry.tables import documented_targets, torch_usage
from mindport.registry.torch import TorchFacts, TorchKind, torch_facts

__all__ = [
    "MindSporeFacts",
    "TorchFacts",
    "TorchKind",
    "collected_versions",
    "documented_targets",
    "mindspore_facts",
    "torch_facts",
    "torch_usage",
]
