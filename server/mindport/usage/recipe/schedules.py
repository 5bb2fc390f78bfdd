"""How the learning rate changes while training: torch's schedulers, and what the project does by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.usage.api_use import Form
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, Function, SourceFile, dotted, name_of
from mindport.usage.recipe.entry import Detail, Entry, Place, Topic
from mindport.usage.recipe.values import Known, Values, shown

_SCHEDULERS = "torch.optim.lr_scheduler."
_CHOICE = re.compile(
    r"^(lr_?)?(scheduler|sched|schedule)(_name|_type|_mode)?$|^lr_(policy|mode|decay_style)$"
)
_WORDS = re.compile(r"(^|_)lr(_|$)|learning_?rate|sched|anneal|warm_?up|cos", re.IGNORECASE)


def schedules(code: Code, values: Values) -> Iterator[Entry]:
    """Entries for torch's schedulers, for a schedule that a setting names, and for functions that compute the rate."""
    for file in code.files:
        for use, call in file.calls():
            if use.form is Form.CALL and use.api.startswith(_SCHEDULERS):
                details = details_of(
                    values, file, use.api, call, frozenset(("optimizer", "lr_lambda", "verbose"))
                )
                yield Entry(Topic.LEARNING_RATE, use.api.rpartition(".")[2], file.place(call), details)
    chosen = list(_chosen(code, values))
    if chosen:
        yield from chosen
        return
    told: set[Place] = set()
    for file in code.files:
        for function in file.functions():
            kinds = kinds_of(function)
            if (
                kinds
                and (_sets_rate(function) or _WORDS.search(function.name))
                and _is_called(values, function.name)
            ):
                told.add(file.place(function))
                yield Entry(
                    Topic.LEARNING_RATE,
                    ", ".join(kinds),
                    file.place(function),
                    note=f"computed in {function.name}",
                )
        yield from _set_by_hand(file, values, told)


def kinds_of(function: Function) -> tuple[str, ...]:
    """The forms of a schedule that a function computes, as its formulas and names show."""
    found = []
    names = {name_of(node) for node in ast.walk(function)} | {
        node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)
    }
    if any(_is_cosine(node) for node in ast.walk(function)):
        found.append("cosine decay")
    elif re.search(r"linear", function.name, re.IGNORECASE) and _sets_rate(function):
        found.append("linear decay")
    elif re.search(r"poly", function.name, re.IGNORECASE):
        found.append("polynomial decay")
    elif re.search(r"multi_?step|step_?lr", function.name, re.IGNORECASE) or "milestones" in names:
        found.append("decay in steps")
    if any(re.search(r"warm_?up", name, re.IGNORECASE) for name in names):
        found.append("warm-up")
    return tuple(found)


def _is_cosine(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and name_of(node.func) == "cos"):
        return False
    return any(name_of(inner) == "pi" for argument in node.args for inner in ast.walk(argument))


def _sets_rate(function: ast.AST) -> bool:
    return any(_is_rate_assignment(node) for node in ast.walk(function))


def _is_rate_assignment(node: ast.AST) -> bool:
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AugAssign)
        else []
    )
    return any(
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and target.slice.value == "lr"
        and re.search(r"group|^g$|^pg$", dotted(target.value)) is not None
        for target in targets
    )


def _is_called(values: Values, name: str) -> bool:
    return bool(values.callers(name)) or any(
        isinstance(argument, ast.Name) and argument.id == name
        for file, call in values.callers("partial")
        for argument in call.args
    )


def _set_by_hand(file: SourceFile, values: Values, told: set[Place]) -> Iterator[Entry]:
    """Assignments to the groups' rates whose source has no name above."""
    for node in file.nodes:
        if not (isinstance(node, ast.Assign) and _is_rate_assignment(node)):
            continue
        scope = file.function_of(node)
        if scope is not None and file.place(scope) in told:
            continue
        if _comes_from_known(file, node, told, values):
            continue
        yield Entry(
            Topic.LEARNING_RATE,
            "set by hand",
            file.place(node),
            (Detail("lr", ast.unparse(node.value)[:60], file.place(node), is_known=False),),
        )


def _comes_from_known(file: SourceFile, node: ast.Assign, told: set[Place], values: Values) -> bool:
    """Whether the assigned rate is computed by a function that has an entry already."""
    scope: ast.AST = file.function_of(node) or file.tree
    wanted = {name_of(inner) for inner in ast.walk(node.value)} - {""}
    for one in ast.walk(scope):
        if isinstance(one, ast.Assign) and any(name_of(target) in wanted for target in one.targets):
            wanted |= {name_of(inner) for inner in ast.walk(one.value)} - {""}
    places = {other.path: other for other in values.code.files}
    return any(
        function.name in wanted
        for place in told
        for function in places[place.path].functions()
        if places[place.path].place(function) == place
    )


def _chosen(code: Code, values: Values) -> Iterator[Entry]:
    """A schedule that a setting chooses by name, where the project's own code branches on that name."""
    for name in values.settings.names():
        if not _CHOICE.match(name):
            continue
        setting = values.setting(name)
        if setting is None or not isinstance(setting.value, str):
            continue
        for file in code.files:
            for branch in file.nodes:
                if not (isinstance(branch, ast.If) and _compares(branch.test) == setting.value):
                    continue
                functions = _functions_of(branch, code)
                kinds = [kind for function in functions.values() for kind in kinds_of(function)]
                if not kinds:
                    continue
                modes = _modes(file, branch)
                place = next(iter(functions))
                yield Entry(
                    Topic.LEARNING_RATE,
                    ", ".join(dict.fromkeys(kinds)),
                    place,
                    (Detail(name, shown(setting.value), setting.place),),
                    f"one of {', '.join(modes)}" if len(modes) > 1 else "",
                )
                return


def _compares(test: ast.expr) -> str:
    if isinstance(test, ast.Compare) and len(test.comparators) == 1 and isinstance(test.ops[0], ast.Eq):
        for side in (test.left, test.comparators[0]):
            if isinstance(side, ast.Constant) and isinstance(side.value, str):
                return side.value
    return ""


def _functions_of(branch: ast.If, code: Code) -> dict[Place, Function]:
    names = {name_of(node) for statement in branch.body for node in ast.walk(statement)} - {""}
    return {
        file.place(function): function
        for file in code.files
        for function in file.functions()
        if function.name in names and kinds_of(function)
    }


def _modes(file: SourceFile, branch: ast.If) -> list[str]:
    """All names that the chain of branches knows."""
    first = branch
    for outer in file.outwards(branch):
        if isinstance(outer, ast.If) and outer.orelse[:1] == [first]:
            first = outer
        else:
            break
    modes = []
    node: ast.stmt | None = first
    while isinstance(node, ast.If):
        modes.append(_compares(node.test))
        node = node.orelse[0] if len(node.orelse) == 1 else None
    return [mode for mode in modes if mode]


def rate_settings(code: Code, values: Values) -> Iterator[Entry]:
    """The settings that go with a schedule: base rate, warm-up, lowest rate, milestones."""
    pattern = re.compile(
        r"^(base_|basic_|initial_|init_|max_)?(lr|learning_rate)(_per_img|_decay|_drop|_decay_iters)?$"
        r"|^warm_?up_(lr|epochs?|iters?|steps?|tokens|ratio)$|^min_lr(_ratio)?$|^(lr_)?(milestones|decay_epochs)$|^decay_lr$"
        r"|^use_linear_lr_decay$"
    )
    found, notes = [], []
    for name in values.settings.names():
        if pattern.match(name):
            setting = values.setting(name)
            if isinstance(setting, Known) and setting.value is not None:
                found.append(Detail(name, shown(setting.value), setting.place))
                other = values.elsewhere(name, setting)
                notes += [f"{name} {other}"] if other else []
    if found and found[0].place is not None:
        note = "; ".join(notes)
        yield Entry(Topic.LEARNING_RATE, "settings of the rate", found[0].place, tuple(found), note)
