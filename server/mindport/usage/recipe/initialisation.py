"""How parameters begin: torch.nn.init, values written into weights by hand, and pretrained weights."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.written_names import last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.answer import KnownValue
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, SourceFile, written
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry, SettingLine
from mindport.usage.recipe.values import Values

_ARGUMENTS = {
    "normal_": ("mean", "std"),
    "uniform_": ("from", "to"),
    "trunc_normal_": ("mean", "std"),
    "fill_": ("value",),
    "zero_": (),
}
_PARAMETER = re.compile(r"(^|\.)(weight|bias)(\.data)?$")
_PRETRAINED = frozenset(
    ("load_state_dict_from_url", "from_pretrained", "load_url", "load_state_dict_from_file")
)


def initialisation(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each way of initialising, with how often it stands in the code."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Entry]] = {}

    def add(what: str, place: SettingLine, details: tuple[Detail, ...] = ()) -> None:
        key = (what, tuple((detail.name, detail.value) for detail in details))
        found.setdefault(key, []).append(Entry(ChecklistTopic.INITIALISATION, what, place, details))

    for file in code.files:
        for use, call in file.calls():
            if use.api.startswith("torch.nn.init.") and use.form is Form.CALL:
                name = use.api.rpartition(".")[2]
                details = details_of(values, file, use.api, call, frozenset(("tensor",)))
                add(name, file.place(call), details)
        for use in file.uses:
            if use.api.startswith("torch.nn.init.") and use.form is Form.VALUE:
                add(use.api.rpartition(".")[2], SettingLine(file.path, use.span.line))
        for node in file.nodes:
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr in _ARGUMENTS:
                target = written(node.func.value)
                owner = _owner(file.outwards(node))
                if _PARAMETER.search(target) or (re.search(r"init", owner) and target.endswith(".data")):
                    arguments = tuple(
                        values.detail(keyword.arg, file, keyword.value)
                        for keyword in node.keywords
                        if keyword.arg
                    ) or tuple(
                        values.detail(name, file, argument)
                        for name, argument in zip(_ARGUMENTS[node.func.attr], node.args, strict=False)
                    )
                    add(f"{node.func.attr} of {target}", file.place(node), arguments)
            elif last_name(node.func) in _PRETRAINED and "resume" not in written(node):
                add("pretrained weights", file.place(node), tuple(_source(file, node)))
            else:
                for keyword in node.keywords:
                    if keyword.arg == "pretrained" and last_name(node.func) != "add_argument":
                        given = values.value(file, keyword.value)
                        if not (isinstance(given, KnownValue) and given.value in (False, None)):
                            detail = values.detail("pretrained", file, keyword.value)
                            add("pretrained weights", file.place(node), (detail,))
    for entries in found.values():
        first = entries[0]
        note = f"{len(entries)} places" if len(entries) > 1 else ""
        yield Entry(first.topic, first.what, first.place, first.details, note)


def _source(file: SourceFile, call: ast.Call) -> Iterator[Detail]:
    """Where weights come from: a setting may say something else in a run that does not load any."""
    for argument in call.args[:1]:
        is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        value = argument.value if is_text else written(argument)  # type: ignore[attr-defined]
        yield Detail("from", value, file.place(argument), is_known=is_text)


def _owner(outwards: Iterator[ast.AST]) -> str:
    return " ".join(
        node.name.lower() for node in outwards if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
