"""What a round of fixes has put into a file the next round leaves as it is: helpers speak MindSpore, also where methods
have the same names in torch."""

import ast
from pathlib import Path

import pytest

import mindport
from mindport.checking.engine import Engine
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.helper_source import helper_source, with_helpers
from mindport.model.target import Device, Target, Version
from mindport.source.text import SourceText
from mindport.usage.project import Project

HELPERS = Path(mindport.__file__).parents[2] / "mappings" / "_helpers"
PATH = "/project/train.py"


def definitions(text: str) -> dict[str, str]:
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, kinds)}


@pytest.mark.thorough
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


@pytest.mark.parametrize(
    "call",
    [
        "torch.linalg.vector_norm(torch.randn(3, 4), 1, keepdim=True)",  # a sum of a tensor, by its caller
        "[m for m in torch.nn.Linear(2, 2).modules() if isinstance(m, KINDS[0])]",
    ],
)
def test_helpers_that_a_round_writes_are_not_converted_by_the_next(call: str) -> None:
    project = Project("/project")
    text = f"import torch\n\nKINDS = [torch.nn.Dropout]\nx = {call}\n"
    text += "def drop(m: torch.nn.Dropout):\n    m.p = 0.5\n"
    project.take_guesses(True)
    project.add(PATH, text)
    engine = Engine(Target(Version(2, 10, 0), Device.CPU))
    rules = RuleFilter(Settings(), "/project")
    after = fix_text(PATH, SourceText(PATH, text), project, engine, rules, unsafe=True).text
    found = [name for name in definitions(after) if helper_source(name)]
    assert len(found) > 1
    assert [
        name for name in found if definitions(after)[name] != definitions(helper_source(name))[name]
    ] == []
