"""Finds every rule by walking this package: a new rule is one new file, and no list names it."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from mindport import rules
from mindport.rules.rule import Rule


@functools.cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its code, in the order of the codes."""
    found: dict[str, Rule] = {}
    for module in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        rule = getattr(importlib.import_module(module.name), "RULE", None)
        if isinstance(rule, Rule):
            found[rule.code] = rule
    return MappingProxyType(dict(sorted(found.items())))
