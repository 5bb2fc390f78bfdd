"""Where a project keeps its settings: argparse and click options, attributes of configuration objects, constants of
modules, keys of dictionaries, defaults of parameters, and YAML or JSON files; all by the setting's name."""

from __future__ import annotations

import ast
import enum
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.recipe.code import Code, SourceFile
from mindport.usage.recipe.config_files import settings_trees
from mindport.usage.recipe.entry import SettingLine
from mindport.usage.recipe.parameters import defaults_of

_MOST_NODES = 20_000
# Whose keyword arguments are keys, or attributes of what they make.
_HOLDERS = frozenset(
    (
        "dict",
        "HParams",
        "EasyDict",
        "edict",
        "AttrDict",
        "ConfigDict",
        "Munch",
        "Namespace",
        "SimpleNamespace",
    )
)
_RUN = re.compile(r"^(main|train|training|run)$")


class SettingKind(enum.IntEnum):
    """Where a setting is written; the lower, the more it decides what a run takes."""

    OPTION = 0  # add_argument("--lr", default=0.1)
    ATTRIBUTE = 1  # self.max_epoch = 300; C.max_iters = 100; lr: float = 0.1 in a class
    CONSTANT = 2  # batch_size = 12 in a module
    LOCAL = 3  # batch_size = 12 in the function that a training script runs
    FILE = 4  # lr: 0.1 in YAML or JSON
    KEY = 5  # {"lr": 0.1}, dict(lr=0.1)
    PARAMETER = 6  # def train(lr=0.1)


class Setting(msgspec.Struct, frozen=True):
    """One place that gives a setting its value. `node` is the value's expression, `owner` the class, function or
    object that has it; of configuration files there is no node but the `value`."""

    name: str
    kind: SettingKind
    place: SettingLine
    node: ast.expr | None = None
    file: SourceFile | None = None
    owner: str = ""
    value: object = None


class ProjectSettings:
    """All settings of a project, by name with dashes as underscores."""

    def __init__(self, code: Code, config_texts: Mapping[str, str]) -> None:
        self._by_name: dict[str, list[Setting]] = {}
        self._crowds: Counter[tuple[SettingKind, str, str]] = Counter()
        for file in code.files:
            for setting in _python_settings(file):
                self._add(setting)
        for path, text, tree in settings_trees(config_texts):
            for setting in _leaves(tree, path, text, ""):
                self._add(setting)

    def _add(self, setting: Setting) -> None:
        self._by_name.setdefault(setting.name, []).append(setting)
        owner = setting.owner if setting.kind is SettingKind.ATTRIBUTE else ""
        self._crowds[setting.kind, setting.place.path, owner] += 1

    def named(self, name: str) -> list[Setting]:
        """The settings of one name."""
        return self._by_name.get(name, [])

    def beside(self, setting: Setting) -> int:
        """How many settings stand in the same class, object or file: defaults stand where most do."""
        return self._crowds[
            setting.kind, setting.place.path, setting.owner if setting.kind is SettingKind.ATTRIBUTE else ""
        ]

    def names(self) -> Iterator[str]:
        """All names in a fixed order."""
        return iter(sorted(self._by_name))


def _python_settings(file: SourceFile) -> Iterator[Setting]:
    for node in file.nodes:
        if isinstance(node, ast.Call):
            yield from _option(file, node)
            if last_name(node.func) in _HOLDERS:
                for keyword in node.keywords:
                    if keyword.arg and not _is_passed_on(keyword.arg, keyword.value):
                        yield Setting(
                            keyword.arg, SettingKind.KEY, file.place(keyword.value), keyword.value, file
                        )
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _assignment(file, node)
        elif isinstance(node, ast.Dict) and not _is_parameter_group(node):
            for key, value in zip(node.keys, node.values, strict=True):
                if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                    continue
                if not _is_passed_on(key.value, value):
                    yield Setting(key.value, SettingKind.KEY, file.place(key), value, file)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name, default in defaults_of(node).items():
                yield Setting(name, SettingKind.PARAMETER, file.place(default), default, file, node.name)


def _is_parameter_group(node: ast.Dict) -> bool:
    """Whether a dictionary tells an optimizer how to treat some of the parameters."""
    return any(isinstance(key, ast.Constant) and key.value == "params" for key in node.keys)


def _is_passed_on(name: str, value: ast.expr) -> bool:
    """Whether `name=...` only hands a value of the same name on, as in `dict(lr=lr)`."""
    return last_name(value) == name


def _option(file: SourceFile, call: ast.Call) -> Iterator[Setting]:
    function = dotted_text(call.func)
    words = [
        word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if function.endswith((".add_argument", ".option")) and words and words[0].startswith("-"):
        long = next((word for word in words if word.startswith("--")), words[0])
        destination = keywords.get("dest")
        name = long.lstrip("-").partition("/")[0]
        if isinstance(destination, ast.Constant) and isinstance(destination.value, str):
            name = destination.value
        default = keywords.get("default")
        action = keywords.get("action")
        if (
            default is None
            and isinstance(action, ast.Constant)
            and action.value in ("store_true", "store_false")
        ):
            default = ast.copy_location(ast.Constant(action.value == "store_false"), call)
        if default is None and isinstance(keywords.get("is_flag"), ast.Constant):
            default = ast.copy_location(ast.Constant(False), call)
        if default is None:
            default = ast.copy_location(ast.Constant(None), call)
        yield Setting(
            name.replace("-", "_"), SettingKind.OPTION, file.place(call), default, file, " ".join(words)
        )
    elif ".DEFINE_" in function and len(call.args) >= 2 and words:
        yield Setting(words[0], SettingKind.OPTION, file.place(call), call.args[1], file, f"--{words[0]}")


def _assignment(file: SourceFile, node: ast.Assign | ast.AnnAssign) -> Iterator[Setting]:
    if node.value is None:
        return
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute):
            owner = file.class_of(node) if last_name(target.value) == "self" else None
            name = owner.name if owner is not None else dotted_text(target.value)
            if not _is_passed_on(target.attr, node.value):
                yield Setting(target.attr, SettingKind.ATTRIBUTE, file.place(node), node.value, file, name)
        elif isinstance(target, ast.Name):
            parent = file.parents.get(node)
            if isinstance(parent, ast.ClassDef):
                yield Setting(
                    target.id, SettingKind.ATTRIBUTE, file.place(node), node.value, file, parent.name
                )
            elif file.function_of(node) is None and file.class_of(node) is None:
                yield Setting(target.id, SettingKind.CONSTANT, file.place(node), node.value, file)
            elif file.is_main and _is_run(parent) and _is_chosen(parent, target.id, node.value):
                yield Setting(target.id, SettingKind.LOCAL, file.place(node), node.value, file)


def _is_run(node: ast.AST | None) -> bool:
    """Whether a node is the function that a script runs: `main()`, `train()`."""
    return isinstance(node, ast.FunctionDef) and _RUN.match(node.name) is not None and not node.args.args


def _is_chosen(function: ast.AST | None, name: str, value: ast.expr) -> bool:
    """Whether a function gives a name this value only: others count, collect or hand on."""
    if _is_passed_on(name, value):
        return False
    stores = [] if function is None else [node for node in every_node(function) if isinstance(node, ast.Name)]
    return sum(node.id == name and isinstance(node.ctx, ast.Store) for node in stores) == 1


def _leaves(
    node: object, path: str, text: str, owner: str, seen: set[int] | None = None
) -> Iterator[Setting]:
    """The settings below a node. Aliases of YAML make one object appear many times: it is read once."""
    seen = set() if seen is None else seen
    if not isinstance(node, Mapping | list) or id(node) in seen or len(seen) > _MOST_NODES:
        return
    seen.add(id(node))
    if isinstance(node, list):
        for item in node:
            yield from _leaves(item, path, text, owner, seen)
        return
    for key, value in node.items():
        name = str(key)
        if isinstance(value, Mapping):
            yield from _leaves(value, path, text, name, seen)
            continue
        place = SettingLine(path, _line_of(node, key, name, text))
        yield Setting(name.replace("-", "_"), SettingKind.FILE, place, owner=owner, value=_plain(value))
        yield from _leaves(value, path, text, name, seen)


def _plain(value: object) -> object:
    """The value as Python's own types: YAML's loader gives subclasses, which print otherwise. Of a list the start."""
    if isinstance(value, list):
        return tuple(None if isinstance(item, list) else _plain(item) for item in value[:20])
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return None if value is None or isinstance(value, Mapping) else str(value)


def _line_of(node: Mapping[object, object], key: object, name: str, text: str) -> int:
    places = getattr(node, "lc", None)
    if places is not None:
        try:
            return int(places.key(key)[0]) + 1
        except (KeyError, TypeError, AttributeError):
            return 1
    start = text.find(f'"{name}"')
    return text.count("\n", 0, start) + 1 if start >= 0 else 1
