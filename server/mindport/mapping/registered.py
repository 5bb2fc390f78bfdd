"""Whether MindSpore registers the kernels that a case needs on a device where it was not run: all names that it writes
count, and all that its helpers name, so that it is as good as the weakest of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.mapping.schema import Case
from mindport.model.target import Target
from mindport.registry.kernels import kernel_facts

_FULL_NAME = re.compile(r"\bmindspore(?:\.[A-Za-z_]\w*)+")
_WORD = re.compile(r"\b[A-Za-z_]\w*")


def names_with_kernels(api: str, case: Case, names: Sequence[str]) -> Sequence[str]:
    """The MindSpore names that a case runs as: `names`, which it writes, or the method that a method stays."""
    if case.verdict == "same" and not names and api.startswith("torch.Tensor."):
        return (f"mindspore.{api.removeprefix('torch.')}",)
    return names


def has_registered_kernels(case: Case, names: Sequence[str], target: Target) -> bool | None:
    """Whether all of `names`, which the case writes, and of what its helpers name have kernels on the target's device;
    false where one has none, None where that is not known of one, or where nothing that is written runs a kernel."""
    facts = kernel_facts(target.version)
    if facts is None:
        return None
    return facts.has_all({*names, *named_by_helpers(case)}, target.device)


def without_kernel(names: Sequence[str], target: Target) -> str:
    """The first of the names that has no kernel on the target's device; empty where none is known to lack one."""
    facts = kernel_facts(target.version)
    lacking = (name for name in names if facts is not None and facts.has(name, target.device) is False)
    return next(lacking, "")


def named_by_helpers(case: Case) -> frozenset[str]:
    """MindSpore's names in the helpers that a case puts into a file."""
    return _named_by_helpers(case.helper or case.rewrite or "")


@functools.cache
def _named_by_helpers(text: str) -> frozenset[str]:
    """MindSpore's names in the helpers that a template or the name of a helper names."""
    helpers = {one for word in _WORD.findall(text) if helper_source(word) for one in needed_helpers(word)}
    return frozenset(name for helper in helpers for name in _FULL_NAME.findall(helper_source(helper)))
