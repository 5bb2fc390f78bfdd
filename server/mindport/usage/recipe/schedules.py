"""How the learning rate changes while training: torch's schedulers, and what the project does by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.api_use import Form
from mindport.usage.recipe.answer import KnownValue, shown
from mindport.usage.recipe.arguments import details_of
from mindport.usage.recipe.code import Code, Function, SourceFile, written
from mindport.usage.recipe.entry import ChecklistTopic, Detail, Entry, SettingLine
from mindport.usage.recipe.formulas import formula_of
from mindport.usage.recipe.values import Values

_SCHEDULERS = "torch.optim.lr_scheduler."
_CHOICE = re.compile(
    r"^(lr_?)?(scheduler|sched|schedule)(_name|_type|_mode)?$|^lr_(policy|mode|decay_style)$"
)
_WORDS = re.compile(r"(^|_)lr(_|$)|learning_?rate|sched|anneal|warm_?up|cos", re.IGNORECASE)


_WARM_UP = re.compile(r"warm_?up|burn_?in", re.IGNORECASE)
_RATE = re.compile(r"(^|_)lr(_|$)|learning_?rate", re.IGNORECASE)


def schedules(code: Code, values: Values) -> Iterator[Entry]:
    """Entries for torch's schedulers, for a schedule that a setting names, and for functions that compute the rate."""
    for file in code.files:
        for use, call in file.calls():
            if use.form is Form.CALL and use.api.startswith(_SCHEDULERS):
                details = details_of(
                    values, file, use.api, call, frozenset(("optimizer", "lr_lambda", "verbose"))
                )
                yield Entry(
                    ChecklistTopic.LEARNING_RATE, use.api.rpartition(".")[2], file.place(call), details
                )
    chosen = list(_chosen(code, values))
    if chosen:
        yield from chosen
        return
    told: set[SettingLine] = set()
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
                    ChecklistTopic.LEARNING_RATE,
                    ", ".join(kinds),
                    file.place(function),
                    note=f"computed in {function.name}",
                )
        yield from _set_by_hand(file, values, told)


def kinds_of(function: Function) -> tuple[str, ...]:
    """The forms of a schedule that a function computes, as its formulas and names show."""
    nodes = every_node(function)
    names = {last_name(node) for node in nodes} | {
        node.arg for node in every_node(function.args) if isinstance(node, ast.arg)
    }
    found = [formula] if (formula := formula_of(nodes)) else []
    if not found and re.search(r"linear", function.name, re.IGNORECASE) and _sets_rate(function):
        found.append("linear decay")
    elif not found and re.search(r"poly", function.name, re.IGNORECASE):
        found.append("polynomial decay")
    elif not found and (
        re.search(r"multi_?step|step_?lr", function.name, re.IGNORECASE) or "milestones" in names
    ):
        found.append("decay in steps")
    if any(_WARM_UP.search(name) for name in names):
        found.append("warm-up")
    return tuple(found)


def _sets_rate(function: ast.AST) -> bool:
    return any(_is_rate_assignment(node) for node in every_node(function))


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
        and re.search(r"group|^g$|^pg$", dotted_text(target.value)) is not None
        for target in targets
    )


def _is_called(values: Values, name: str) -> bool:
    return bool(values.mentions.callers(name)) or any(
        isinstance(argument, ast.Name) and argument.id == name
        for file, call in values.mentions.callers("partial")
        for argument in call.args
    )


def _set_by_hand(file: SourceFile, values: Values, told: set[SettingLine]) -> Iterator[Entry]:
    """Assignments to the groups' rates whose source has no name above."""
    for node in file.nodes:
        if not (isinstance(node, ast.Assign) and _is_rate_assignment(node)):
            continue
        scope = file.function_of(node)
        if scope is not None and file.place(scope) in told:
            continue
        if _comes_from_known(file, node, told, values):
            continue
        rate = _computed(file, node)
        nodes = [inner for one in rate for inner in every_node(one)]
        kinds = [kind] if (kind := formula_of(nodes) or _steps(file, rate)) else []
        if any(_WARM_UP.search(last_name(inner) or _text(inner)) for inner in nodes):
            kinds.append("warm-up")
        if kinds:
            yield Entry(ChecklistTopic.LEARNING_RATE, ", ".join(kinds), file.place(node), note="set by hand")
            continue
        shown_value = written(rate[0].value if rate and isinstance(node.value, ast.Name) else node.value)
        yield Entry(
            ChecklistTopic.LEARNING_RATE,
            "set by hand",
            file.place(node),
            (Detail("lr", shown_value, file.place(node), is_known=False),),
        )


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _computed(file: SourceFile, node: ast.Assign) -> list[ast.Assign | ast.AugAssign]:
    """The assignments to the name that a rate is set to, in the function around it."""
    scope: ast.AST = file.function_of(node) or file.tree
    name = last_name(node.value)
    return [
        one
        for one in every_node(scope)
        if (isinstance(one, ast.Assign) and name and any(last_name(target) == name for target in one.targets))
        or (isinstance(one, ast.AugAssign) and name and last_name(one.target) == name)
    ]


def _steps(file: SourceFile, rate: list[ast.Assign | ast.AugAssign]) -> str:
    """The kind of a rate that is multiplied while a loop finds that another threshold is passed."""
    for one in rate:
        if isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Mult):
            outer = list(file.outwards(one))
            condition = next((node for node in outer if isinstance(node, ast.If)), None)
            loop = next((node for node in outer if isinstance(node, ast.For)), None)
            if condition is not None and loop is not None and condition in every_node(loop):
                thresholds = {last_name(inner) for inner in every_node(loop.target)} - {""}
                if thresholds & {last_name(inner) for inner in every_node(condition.test)}:
                    return "decay in steps"
    return ""


def _comes_from_known(file: SourceFile, node: ast.Assign, told: set[SettingLine], values: Values) -> bool:
    """Whether the assigned rate is computed by a function that has an entry already."""
    scope: ast.AST = file.function_of(node) or file.tree
    wanted = {last_name(inner) for inner in every_node(node.value)} - {""}
    for one in every_node(scope):
        if isinstance(one, ast.Assign) and any(last_name(target) in wanted for target in one.targets):
            wanted |= {last_name(inner) for inner in every_node(one.value)} - {""}
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
                place = next(iter(functions), file.place(branch.body[0]))
                if not kinds and _names_rate(branch.body):
                    formula = formula_of([inner for one in branch.body for inner in every_node(one)])
                    kinds = [formula] if formula else []
                if not kinds:
                    continue
                modes = _modes(file, branch)
                yield Entry(
                    ChecklistTopic.LEARNING_RATE,
                    ", ".join(dict.fromkeys(kinds)),
                    place,
                    (Detail(name, shown(setting.value), setting.place),),
                    f"one of {', '.join(modes)}" if len(modes) > 1 else "",
                )
                return


def _names_rate(body: list[ast.stmt]) -> bool:
    """Whether statements give a rate a value: `lr = ...`."""
    return any(
        isinstance(inner, ast.Assign) and any(_RATE.search(last_name(target)) for target in inner.targets)
        for one in body
        for inner in every_node(one)
    )


def _compares(test: ast.expr) -> str:
    if isinstance(test, ast.Compare) and len(test.comparators) == 1 and isinstance(test.ops[0], ast.Eq):
        for side in (test.left, test.comparators[0]):
            if isinstance(side, ast.Constant) and isinstance(side.value, str):
                return side.value
    return ""


def _functions_of(branch: ast.If, code: Code) -> dict[SettingLine, Function]:
    names = {last_name(node) for statement in branch.body for node in every_node(statement)} - {""}
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
            if isinstance(setting, KnownValue) and setting.value is not None:
                found.append(Detail(name, shown(setting.value), setting.place))
                other = values.elsewhere(name, setting)
                notes += [f"{name} {other}"] if other else []
    if found and found[0].place is not None:
        note = "; ".join(notes)
        yield Entry(ChecklistTopic.LEARNING_RATE, "settings of the rate", found[0].place, tuple(found), note)
