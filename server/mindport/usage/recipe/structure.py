"""The networks of a project: which modules are whole models, and what they are made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.built import Builder
from mindport.usage.recipe.code import Code, Function, SourceFile
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry
from mindport.usage.recipe.makers import Classes, Makers
from mindport.usage.recipe.parameters import argument_of
from mindport.usage.recipe.values import Values
from mindport.usage.recipe.vocabulary import plain_name

_ROLES = (
    ("backbone", re.compile(r"backbone|^trunk$", re.IGNORECASE)),
    ("neck", re.compile(r"^neck$|fpn|pan(?!el)", re.IGNORECASE)),
    ("head", re.compile(r"(?<!looka)(?<!look_a)head$", re.IGNORECASE)),
    ("encoder", re.compile(r"encoder$", re.IGNORECASE)),
    ("decoder", re.compile(r"decoder$", re.IGNORECASE)),
)

_MOST_CALLERS = 3
_MOST_PARTS = 12
# What a table of blocks holds: `{50: (Bottleneck, [3, 4, 6, 3])}`.
_BLOCK = re.compile(r"(block|bottleneck|layer|unit|cell)s?(_|$)")
_NO_MODEL = re.compile(r"loss|criterion|matcher|process", re.IGNORECASE)

# Name of a class -> attribute, class and line of what it makes.
_Parts = dict[str, list[tuple[str, str, int]]]


def structure(code: Code, values: Values) -> Iterator[Entry]:
    """One entry for each model that is no part of another one, and for the parts of it that have a role."""
    by_name = {node.name: (file, node) for node, file in code.module_classes.items()}
    makers = Makers(code, by_name)
    parts = {node.name: _parts(node, makers, values) for node in code.module_classes}
    contained = _contained(code, by_name, parts)
    yield from _of_torchvision(code, values)
    roles = dict(_roles(code, parts))
    builder = Builder(code, values)
    for node, file in code.module_classes.items():
        made_of = _listed(parts[node.name])
        if node.name in roles:
            role, where = roles[node.name]
            note = f"{where}; made of {made_of}" if made_of else where
            sizes = _sizes(node, file, builder, values)
            yield Entry(ChecklistTopic.STRUCTURE, f"{role}: {node.name}", file.place(node), sizes, note)
            continue
        is_used = values.mentions.is_used(node) or bool(node.decorator_list)
        is_whole = node.name not in contained or (
            parts[node.name] and _is_made_outside(node.name, code, values, makers)
        )
        is_block = _BLOCK.search(plain_name(node.name)) is not None and not values.mentions.callers(node.name)
        if (
            is_used
            and is_whole
            and not is_block
            and not _NO_MODEL.search(node.name)
            and makers.has_layers(node)
        ):
            note = f"made of {made_of}" if made_of else ""
            yield Entry(
                ChecklistTopic.STRUCTURE,
                node.name,
                file.place(node),
                _sizes(node, file, builder, values),
                note,
            )


def _sizes(node: ast.ClassDef, file: SourceFile, builder: Builder, values: Values) -> tuple[Detail, ...]:
    """How many parameters a model has, and each of its parts, as it is made where training begins; else with the
    defaults of its own parameters. Nothing where not even a part is known."""
    network, place = None, None
    for caller, call in values.mentions.callers(node.name)[:_MOST_CALLERS]:
        made = builder.made_by(caller, call)
        if made is None or made.path != file.path:
            continue
        if network is None or made.parameters is not None:
            network, place = made, caller.place(call)
        if made.parameters is not None:
            break
    if network is None or network.parameters is None:
        with_defaults = builder.made_with_defaults(node.name, file.path)
        if with_defaults is not None and with_defaults.parameters is not None:
            network, place = with_defaults, None
    if network is None:
        return ()
    parts = [
        Detail(f"{part.attribute}: {part.name}", f"{part.parameters:,}")
        for part in network.parts
        if part.parameters
    ]
    total = network.parameters
    if total is None:
        return (Detail("parameters", "unknown", place, is_known=False), *parts) if parts else ()
    kept = parts if len(parts) <= _MOST_PARTS else []
    return (Detail("parameters", f"{total:,}", place), *kept) if total else ()


def _of_torchvision(code: Code, values: Values) -> Iterator[Entry]:
    """Models that come ready made, also those that a setting names."""
    for file in code.files:
        for use, call in file.calls():
            name = use.api.rpartition(".")[2]
            if use.api.startswith("torchvision.models.") and use.form is Form.CALL and name.islower():
                yield Entry(ChecklistTopic.STRUCTURE, f"{name} of torchvision", file.place(call))
        for node in file.nodes:
            if not (isinstance(node, ast.Call) and last_name(node.func) == "getattr" and len(node.args) >= 2):
                continue
            if dotted_text(node.args[0]) in ("torchvision.models", "models"):
                detail = values.detail("name", file, node.args[1])
                yield Entry(ChecklistTopic.STRUCTURE, "model of torchvision", file.place(node), (detail,))


def _roles(code: Code, parts: _Parts) -> Iterator[tuple[str, tuple[str, str]]]:
    """Class -> what it is to another one, and to which attribute of which."""
    for node, file in code.module_classes.items():
        for attribute, part, line in parts[node.name]:
            role = _role(attribute, part)
            if role:
                yield part, (role, f"{attribute} of {node.name} ({file.path}:{line})")


def _is_made_outside(name: str, code: Code, values: Values, makers: Makers) -> bool:
    """Whether a module is made where no other module is defined and for none, as in `build_model`."""
    return any(
        file.class_of(call) not in code.module_classes and file.function_of(call) not in makers.of_parts
        for file, call in values.mentions.callers(name)
    )


def _role(attribute: str, part: str) -> str:
    """What a part is to the whole: its own name says it, else the attribute that holds it."""
    for name in (part, attribute):
        for role, pattern in _ROLES:
            if pattern.search(name):
                return role
    return ""


def _listed(parts: list[tuple[str, str, int]]) -> str:
    return ", ".join(dict.fromkeys(f"{attribute}: {part}" for attribute, part, _ in parts[:8]))


def _contained(
    code: Code,
    by_name: Classes,
    parts: _Parts,
) -> set[str]:
    """The classes that other modules make, themselves or in a function that they call, derive from, or are handed."""
    functions = {one.name: one for file in code.files for one in file.tree.body if isinstance(one, Function)}
    found: set[str] = set()
    for node in code.module_classes:
        found |= {last_name(base) for base in node.bases}
        read = {inner.id for inner in every_node(node) if isinstance(inner, ast.Name)}
        for name in read & functions.keys() - by_name.keys():
            names = {
                last_name(inner)
                for inner in every_node(functions[name])
                if isinstance(inner, ast.Name | ast.Attribute)
            }
            read |= names if _makes_module(functions[name], by_name) else set()
        found |= {name for name in read if name != node.name}
        found |= {part for _, part, _ in parts[node.name] if part != node.name}
    for file in code.files:
        for call in file.nodes:  # ResNet(BasicBlock, [2, 2, 2, 2])
            if isinstance(call, ast.Call) and last_name(call.func) in by_name:
                passed = [*call.args, *(keyword.value for keyword in call.keywords)]
                found |= {one.id for one in passed if isinstance(one, ast.Name)} & by_name.keys()
    return found


def _makes_module(function: ast.AST, by_name: Classes) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in by_name for inner in every_node(function))


def _parts(node: ast.ClassDef, makers: Makers, values: Values) -> list[tuple[str, str, int]]:
    """Attribute, class and line of the project's modules that a class makes or is handed."""
    found: list[tuple[str, str, int]] = []
    for function in node.body:
        if not isinstance(function, Function):
            continue
        for inner in every_node(function):
            if not isinstance(inner, ast.Assign):
                continue
            for target in inner.targets:
                if isinstance(target, ast.Attribute) and last_name(target.value) == "self":
                    made = makers.made(inner.value)
                    if not made and isinstance(inner.value, ast.Name):
                        made = _handed(node, function, inner.value.id, makers, values)
                    found += [(target.attr, name, inner.lineno) for name in made]
    return list(dict.fromkeys(found))


def _handed(
    owner: ast.ClassDef,
    function: Function,
    name: str,
    makers: Makers,
    values: Values,
) -> list[str]:
    """What a parameter of the constructor may hold: what it is set to inside, and what callers pass."""
    found = []
    for inner in every_node(function):
        if isinstance(inner, ast.Assign) and any(last_name(target) == name for target in inner.targets):
            found += makers.made(inner.value)
    for file, call in values.mentions.callers(owner.name):
        argument = argument_of(call, function, name, is_method=True)
        if argument is None:
            continue
        scope = file.function_of(call) or file.tree
        made = makers.made(argument)
        if isinstance(argument, ast.Name):
            for inner in every_node(scope):
                if isinstance(inner, ast.Assign) and any(
                    last_name(target) == argument.id for target in inner.targets
                ):
                    made += makers.made(inner.value)[:1]
        found += made[:1]
    return list(dict.fromkeys(found))
