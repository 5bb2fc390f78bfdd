"""Takes the source of a sample to MindSpore the way `mindport fix` does."""

from __future__ import annotations

import ast
import functools
import importlib.metadata

import msgspec

from mindport.checking.analysis import analyse
from mindport.checking.engine import Engine
from mindport.checking.file_report import check_file
from mindport.checking.fixed_text import what_is_left
from mindport.checking.fixing import fix_text
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.mapping.index import load_index
from mindport.model.target import Device, Target, Version
from mindport.model.verdict import Verdict
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText
from mindport.usage.api_use import Form
from mindport.usage.project import Project

_PATH = "/sample/sample.py"
_PREPARING = ("torch.Tensor.clone", "torch.nn.Module.eval")  # stand around what is judged


class Rewritten(msgspec.Struct, frozen=True):
    """What became of a source: `grade` is `as it is` (nothing to change but imports), `safe` or `unsafe` (the weakest
    fix that was needed), or `refused`, for `reason`. `place` tells the mapping and the case behind it."""

    text: str
    grade: str
    reason: str = ""
    place: str = ""


@functools.lru_cache(maxsize=4096)
def rewritten(source: str) -> Rewritten:
    """The source with safe fixes, and with unsafe ones where those leave something."""
    safe = _fixed(source, unsafe=False)
    return safe if safe.grade != "refused" else _fixed(source, unsafe=True)


@functools.cache
def _engine() -> tuple[Engine, RuleFilter]:
    version = importlib.metadata.version("mindspore")
    return Engine(Target(Version.parse(version), Device.CPU)), RuleFilter(Settings(), "/sample")


def _fixed(source: str, *, unsafe: bool) -> Rewritten:
    engine, rules = _engine()
    project = Project("/sample")
    project.add(_PATH, source)
    file = analyse(_PATH, SourceText(_PATH, source), project, engine.target)
    usage, report = file.usage, check_file(file, source, engine, rules)
    result = fix_text(_PATH, SourceText(_PATH, source), project, engine, rules, unsafe=unsafe)
    project.add(_PATH, result.text)
    still_used = {use.api for use in project.usage(_PATH).uses}
    left = what_is_left(report, source, result, engine, still_used).findings
    place, changed = "", False
    for index, use in enumerate(usage.uses):
        judgement = engine.assess(use).judgement
        if use.form is Form.IMPORT or use.form is Form.ANNOTATION or judgement.mapping is None:
            continue
        if use.api not in _PREPARING or not place:
            place = f"{load_index().file(use.api)}[{judgement.case_index}]"
        changed = changed or (index in result.fixed_uses and judgement.verdict is not Verdict.SAME)
    lines = LineIndex(source)
    uses = [(usage.uses[finding.use_index], finding.message) for finding in left if finding.use_index >= 0]
    # Whether a written `torch.name` is left the new text tells: it may have gone with an argument that was dropped.
    reasons = [message for use, message in uses if not lines.slice(use.span).startswith("torch.")]
    if not reasons and _names_torch(result.text):
        reasons = ["a torch name is left over"]
    if reasons:
        return Rewritten(result.text, "refused", reasons[0], place)
    grade = ("unsafe" if unsafe else "safe") if changed else "as it is"
    return Rewritten(result.text, grade, "", place)


def _names_torch(text: str) -> bool:
    tree = ast.parse(text)
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "torch")
    return any(isinstance(node.ctx, ast.Load) for node in names)  # an optional import may bind it
