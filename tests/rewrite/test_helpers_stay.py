"""What a round of fixes has put into a file the next round leaves as it is: helpers speak MindSpore, also where methods
have the same names in torch."""

import ast
from pathlib import Path

import pytest

import mindport
from mindport.check.engine import Engine
from mindport.check.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.helper_source import with_helpers
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

pytestmark = pytest.mark.thorough

HELPERS = Path(mindport.__file__).parents[2] / "mappings" / "_helpers"
PATH = "/project/train.py"


def definitions(text: str) -> dict[str, str]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, kinds)}


def test_helpers_are_not_converted() -> None:
    engine = Engine(Target(Version(2, 10, 0), Device.CPU))
    rules = RuleFilter(Settings(), "/project")
    changed = []
    for file in sorted(HELPERS.glob("*.py")):
        text = with_helpers(
            f"import torch\n\n\ndef use(*args):\n    return {file.stem}, torch.relu(args[0])\n"
        )
        project = Project("/project")
        project.add(PATH, text)
        after = fix_text(PATH, SourceText(PATH, text), project, engine, rules, unsafe=True).text
        before, after_fix = definitions(text), definitions(after)
        assert before.pop("use") != after_fix.pop("use")  # the file was fixed
        changed += [file.stem] if any(after_fix[name] != source for name, source in before.items()) else []
    assert changed == []
