"""A text after its safe fixes, for the tests of what they write."""

from __future__ import annotations

from typing import Any

from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import MappingIndex
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

PATH = "/project/model.py"
CPU = Target(Version(2, 10, 0), Device.CPU)


def converted(
    text: str, target: Target = CPU, index: MappingIndex | None = None, newline: str = "\n", **options: Any
) -> str:
    """`text` as a file of its own, fixed by the mappings of `index`, or by those that ship."""
    project = Project("/project")
    project.add(PATH, text)
    engine = Engine(target) if index is None else Engine(target, index=index)
    rules = RuleFilter(Settings(), "/project")
    return fix_text(PATH, SourceText(PATH, text, newline=newline), project, engine, rules, **options).text
