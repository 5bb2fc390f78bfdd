"""What an expression stands for, as far as the text of the project tells: through local names, parameters and those
who call, attributes of configuration objects, options and defaults. What only a run knows stays unknown."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence

import msgspec

from mindport.usage.recipe.code import Code, Function, SourceFile, dotted, name_of, written
from mindport.usage.recipe.commands import Command
from mindport.usage.recipe.entry import Detail, Place
from mindport.usage.recipe.settings import Kind, Setting, Settings, defaults_of

_DEEPEST = 12
_MOST_CALLERS = 4
_MOST_LOOKS = 300  # at other expressions, before an expression is left unknown
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
# `nn.SiLU()` is no call of a SiLU that the project defines.
_FOREIGN = ("nn.", "torch.", "torchvision.", "F.", "np.", "numpy.", "math.")
# Whose attributes are options of the command line.
_OPTION_OBJECTS = frozenset(("args", "opt", "opts", "options", "flags", "FLAGS", "hparams", "arguments"))


class Unknown(msgspec.Struct, frozen=True):
    """No value; `text` is the expression."""

    text: str


class Known(msgspec.Struct, frozen=True):
    """A value (numbers, texts, None, tuples of them; or a torch dtype's name) and the line it is written on."""

    value: object
    place: Place


Answer = Known | Unknown


class Values:
    """Answers what expressions of a project stand for."""

    def __init__(self, code: Code, settings: Settings, commands: Sequence[Command] = ()) -> None:
        self.code = code
        self.settings = settings
        self.commands = tuple(commands)
        self._answers: dict[ast.expr, Answer] = {}
        self._left = _MOST_LOOKS
        self._assigned: dict[Function, dict[str, list[ast.Assign | ast.AnnAssign]]] = {}
        self._callers: dict[str, list[tuple[SourceFile, ast.Call]]] = {}
        for file in sorted(code.files, key=lambda file: not file.is_main):
            for node in file.nodes:
                if isinstance(node, ast.Call):
                    name = name_of(node.func)
                    if name and not dotted(node.func).startswith(_FOREIGN):
                        self._callers.setdefault(name, []).append((file, node))
        self._reads: dict[str, list[tuple[SourceFile, ast.AST]]] = {}
        for file in code.files:
            for node in file.nodes:
                is_read = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
                if is_read and not dotted(node).startswith(_FOREIGN):
                    self._reads.setdefault(name_of(node), []).append((file, node))
        self._classes = {node.name: (file, node) for file in code.files for node in file.classes()}

    def callers(self, name: str) -> list[tuple[SourceFile, ast.Call]]:
        """The calls of functions, methods and classes of a name."""
        return self._callers.get(name, [])

    def is_used(self, node: ast.ClassDef | Function) -> bool:
        """Whether something outside a definition reads its name."""
        return any(
            node not in file.outwards(use) for file, use in self._reads.get(node.name, ()) if use is not node
        )

    def is_kept_unread(self, file: SourceFile, node: ast.AST) -> bool:
        """Whether what an expression makes is only kept under a name or attribute that nothing reads."""
        assigned = file.parents.get(node)
        if not isinstance(assigned, ast.Assign):
            return False
        names = [name_of(target) for target in assigned.targets]
        return all(name and not self._reads.get(name) for name in names)

    def detail(self, name: str, file: SourceFile, node: ast.expr) -> Detail:
        """An argument as a detail of an entry."""
        answer = self.value(file, node)
        if isinstance(answer, Known):
            return Detail(name, shown(answer.value), answer.place)
        return Detail(name, answer.text, file.place(node), is_known=False)

    def value(self, file: SourceFile, node: ast.expr, depth: int = 0) -> Answer:
        """What `node`, an expression of `file`, stands for."""
        if depth > _DEEPEST:
            return Unknown(written(node))
        if depth == 0:
            # The same expressions are asked for again and again while a network is built.
            if node not in self._answers:
                self._left = _MOST_LOOKS
                self._answers[node] = self._found(file, node, depth)
            return self._answers[node]
        self._left -= 1
        return self._found(file, node, depth) if self._left > 0 else Unknown(written(node))

    def _found(self, file: SourceFile, node: ast.expr, depth: int) -> Answer:
        found: Answer | None = None
        if isinstance(node, ast.Constant):
            return Known(node.value, file.place(node))
        if isinstance(node, ast.Tuple | ast.List):
            found = self._sequence(file, node, depth)
        elif isinstance(node, ast.UnaryOp | ast.BinOp):
            found = self._arithmetic(file, node, depth)
        elif isinstance(node, ast.Name):
            found = self._name(file, node, depth)
        elif isinstance(node, ast.Attribute):
            found = self._attribute(file, node, depth)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                found = self.setting(node.slice.value, file, depth, is_key=True)
            else:
                found = self._looked_up(file, node, depth)
        elif isinstance(node, ast.Call):
            found = self._call(file, node, depth)
        return found if found is not None else Unknown(written(node))

    def setting(
        self,
        name: str,
        file: SourceFile | None = None,
        depth: int = 0,
        is_option: bool = False,
        is_key: bool = False,
    ) -> Known | None:
        """What the project sets a name to: of several places the one that decides most, the same file first."""

        def order(setting: Setting) -> tuple[object, ...]:
            is_wanted = (setting.kind is Kind.OPTION) if is_option else (setting.kind >= Kind.FILE and is_key)
            is_here = file is not None and setting.place.path == file.path
            is_main = setting.file is not None and setting.file.is_main
            beside = self.settings.beside(setting)
            return (
                not is_wanted,
                setting.kind is Kind.PARAMETER,
                not is_here,
                not is_main,
                -beside,
                setting.kind,
            )

        fallback: Known | None = None
        for setting in sorted(self.settings.named(name), key=order):
            if setting.node is None:
                return Known(ast.literal_eval(setting.text), setting.place)
            if setting.file is None:
                continue
            function = setting.file.function_of(setting.node)
            answer: Answer | None = self.value(setting.file, setting.node, depth + 1)
            if setting.kind is Kind.PARAMETER and function is not None and depth < _DEEPEST:
                answer = self.parameter(setting.file, function, name, depth + 1)
            if isinstance(answer, Known):
                if self._is_one_of_several(setting, answer):
                    return None
                known = Known(answer.value, setting.place if _is_literal(setting.node) else answer.place)
                if known.value is not None:
                    return known
                fallback = fallback or known
            elif fallback is not None and setting.owner in _OPTION_OBJECTS:
                return None  # `if args.lr is None: args.lr = ...`: what follows is not what a run takes
        return fallback

    def _is_one_of_several(self, setting: Setting, answer: Known) -> bool:
        """Whether a setting is given under a condition, and the same function gives it another value elsewhere."""
        file, node = setting.file, setting.node
        if (
            setting.kind is not Kind.ATTRIBUTE
            or file is None
            or node is None
            or not _is_conditional(file, node)
        ):
            return False
        scope = file.function_of(node)
        return any(
            other.node is not None
            and other.file is file
            and other.owner == setting.owner
            and file.function_of(other.node) is scope
            and _is_literal(other.node)
            and isinstance(found := self.value(file, other.node), Known)
            and found.value != answer.value
            for other in self.settings.named(setting.name)
        )

    def settled(self, setting: Setting) -> object:
        """The value that one place gives a setting; None where it is None or not known."""
        if setting.node is None or setting.file is None:
            return ast.literal_eval(setting.text) if setting.text else None
        answer = self.value(setting.file, setting.node)
        return answer.value if isinstance(answer, Known) else None

    def elsewhere(self, name: str, chosen: Known) -> str:
        """Where else the project gives a setting another value than the chosen one; empty where nowhere."""
        found = []
        for setting in self.settings.named(name):
            if setting.kind in (Kind.PARAMETER, Kind.KEY) or setting.place == chosen.place:
                continue
            other = self.settled(setting)
            if other is not None and other != chosen.value:
                found.append(f"{shown(other)} in {setting.place}")
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return f"elsewhere {', '.join(found[:3])}{more}" if found else ""

    def is_settled(self, file: SourceFile, name: str) -> bool:
        """Whether all places that set a name in classes, options, modules and files agree, or the file itself has an
        option of that name."""
        found = set()
        for setting in self.settings.named(name):
            if setting.kind is Kind.OPTION and setting.file is file:
                return True
            if setting.kind is Kind.PARAMETER or setting.node is None or setting.file is None:
                continue
            answer = self.value(setting.file, setting.node)
            if not isinstance(answer, Known):
                return False
            if answer.value is not None:
                found.add(repr(answer.value))
        return len(found) == 1

    def _sequence(self, file: SourceFile, node: ast.Tuple | ast.List, depth: int) -> Answer | None:
        items = [self.value(file, item, depth + 1) for item in node.elts]
        if all(isinstance(item, Known) for item in items):
            values = tuple(item.value for item in items if isinstance(item, Known))
            place = items[0].place if items and isinstance(items[0], Known) else file.place(node)
            return Known(values, place)
        return None

    def _looked_up(self, file: SourceFile, node: ast.Subscript, depth: int) -> Answer | None:
        """The item of a dictionary that is written out, for a key that is known."""
        holder: ast.expr = node.value
        if isinstance(holder, ast.Name):
            scope = file.function_of(node)
            given = self._assigned_before(scope, holder) if scope is not None else []
            given = given or [
                one.node
                for one in self.settings.named(holder.id)
                if one.kind is Kind.CONSTANT and one.file is file and one.node is not None
            ]
            if len(given) != 1:
                return None
            holder = given[0]
        if not isinstance(holder, ast.Dict):
            return None
        key = self.value(file, node.slice, depth + 1)
        for name, value in zip(holder.keys, holder.values, strict=True):
            if isinstance(key, Known) and isinstance(name, ast.Constant) and name.value == key.value:
                return self.value(file, value, depth + 1)
        return None

    def _arithmetic(self, file: SourceFile, node: ast.UnaryOp | ast.BinOp, depth: int) -> Answer | None:
        if isinstance(node, ast.UnaryOp):
            inner = self.value(file, node.operand, depth + 1)
            if isinstance(inner, Known) and isinstance(node.op, ast.USub) and _is_number(inner.value):
                return Known(-inner.value, inner.place)  # type: ignore[operator]
            if isinstance(inner, Known) and isinstance(node.op, ast.Not):
                return Known(not inner.value, inner.place)
            return None
        left = self.value(file, node.left, depth + 1)
        right = self.value(file, node.right, depth + 1)
        if not (isinstance(left, Known) and isinstance(right, Known)):
            return None
        if not (_is_number(left.value) and _is_number(right.value)):
            return None
        place = right.place if _is_literal(node.left) and not _is_literal(node.right) else left.place
        try:
            if isinstance(node.op, ast.Pow):
                # Bounded: `10 ** 10 ** 10` in user code must not fill the memory.
                if abs(right.value) > 64 or abs(left.value) > 1e6:  # type: ignore[arg-type]
                    return None
                return Known(left.value**right.value, place)  # type: ignore[operator]
            apply = _OPERATORS.get(type(node.op))
            return None if apply is None else Known(apply(left.value, right.value), place)  # type: ignore[arg-type]
        except (ArithmeticError, ValueError, TypeError):
            return None

    def _name(self, file: SourceFile, node: ast.Name, depth: int) -> Answer | None:
        for scope in file.outwards(node):
            if not isinstance(scope, Function):
                continue
            assigned = self._assigned_before(scope, node)
            if assigned:
                return self._either(file, assigned, depth)
            if node.id in _parameters(scope):
                return self.parameter(file, scope, node.id, depth)
            if _binds(scope, node.id):
                return None
        for setting in self.settings.named(node.id):
            if setting.kind is Kind.CONSTANT and setting.file is file and setting.node is not None:
                if any(inner is node for inner in ast.walk(setting.node)):
                    continue
                return self.value(file, setting.node, depth + 1)
        if any(
            isinstance(one, ast.ImportFrom) and node.id in [a.name for a in one.names] for one in file.nodes
        ):
            for setting in self.settings.named(node.id):
                if setting.kind is Kind.CONSTANT and setting.file is not None and setting.node is not None:
                    return self.value(setting.file, setting.node, depth + 1)
        return None

    def _assigned_before(self, scope: Function, use: ast.Name) -> list[ast.expr]:
        """The values given to a name in a function above its use."""
        if scope not in self._assigned:
            self._assigned[scope] = _assignments(scope)
        before = self._assigned[scope].get(use.id, [])
        return [node.value for node in before if node.lineno < use.lineno and node.value is not None]

    def _either(self, file: SourceFile, nodes: list[ast.expr], depth: int) -> Answer:
        """What several values come to: one, where they agree; else all of them as text."""
        answers = [self.value(file, node, depth + 1) for node in nodes[-3:]]
        first = answers[0]
        if isinstance(first, Known) and all(
            isinstance(one, Known) and one.value == first.value for one in answers
        ):
            return first
        texts = [shown(one.value) if isinstance(one, Known) else one.text for one in answers]
        return Unknown(" or ".join(dict.fromkeys(texts)))

    def parameter(self, file: SourceFile, function: Function, name: str, depth: int = 0) -> Answer | None:
        """What a parameter gets from the first call that tells, else its default if no call passes anything."""
        owner = file.class_of(function)
        called = owner.name if function.name == "__init__" and owner is not None else function.name
        default = defaults_of(function).get(name)
        folder = file.path.rpartition("/")[0]
        # Of several packages that use the same code, the one that defines it counts most.
        callers = sorted(
            self.callers(called), key=lambda pair: not pair[0].is_main and not pair[0].path.startswith(folder)
        )
        is_passed = False
        for caller_file, call in callers[:_MOST_CALLERS]:
            if function in caller_file.outwards(call):
                continue
            argument = argument_of(call, function, name, is_method=owner is not None)
            if argument is not None:
                answer = self.value(caller_file, argument, depth + 1)
            elif default is not None and not _passes_more(call):
                answer = self.value(file, default, depth + 1)
            else:
                continue
            if isinstance(answer, Known):
                beside = [one for other, one in callers if other is caller_file]
                return _unless_others_differ(answer, function, name, beside)
            is_passed = True
        return None if is_passed or default is None else self.value(file, default, depth + 1)

    def _attribute(self, file: SourceFile, node: ast.Attribute, depth: int) -> Answer | None:
        root = dotted(node)
        if root.startswith("torch."):
            return Known(Symbol(root), file.place(node))
        receiver = name_of(node.value)
        if receiver == "self":
            owner = file.class_of(node)
            return None if owner is None else self._own_attribute(owner, node.attr, depth)
        return self.setting(node.attr, file, depth, is_option=receiver in _OPTION_OBJECTS)

    def _own_attribute(
        self, owner: ast.ClassDef, name: str, depth: int, seen: tuple[str, ...] = ()
    ) -> Answer | None:
        own = [one for one in self.settings.named(name) if one.owner == owner.name and one.node is not None]
        # Several classes may have the same name, as experiments have that override the one they derive from.
        own.sort(
            key=lambda one: one.file is None or one.node is None or one.file.class_of(one.node) is not owner
        )
        for setting in own:
            if setting.node is not None and setting.file is not None:
                return self.value(setting.file, setting.node, depth + 1)
        for function in owner.body:
            # `self.lr = lr` is no setting of its own: the parameter is.
            if (
                isinstance(function, Function)
                and function.name == "__init__"
                and name in _parameters(function)
            ):
                file = self._classes[owner.name][0] if owner.name in self._classes else None
                if file is not None:
                    return self.parameter(file, function, name, depth + 1)
        for base in owner.bases:
            entry = self._classes.get(name_of(base))
            if entry is not None and entry[1].name not in (*seen, owner.name):
                return self._own_attribute(entry[1], name, depth + 1, (*seen, owner.name))
        # `self.max_epoch = exp.max_epoch`: an attribute that is only handed on keeps the name of the setting.
        return self.setting(name, None, depth + 1) if self._is_handed_on(owner, name) else None

    def _is_handed_on(self, owner: ast.ClassDef, name: str) -> bool:
        return any(
            isinstance(node, ast.Assign)
            and name_of(node.value) == name
            and any(isinstance(target, ast.Attribute) and target.attr == name for target in node.targets)
            for node in ast.walk(owner)
        )

    def _call(self, file: SourceFile, node: ast.Call, depth: int) -> Answer | None:
        function = name_of(node.func)
        if function in ("int", "float") and len(node.args) == 1 and not node.keywords:
            inner = self.value(file, node.args[0], depth + 1)
            number = inner.value if isinstance(inner, Known) else None
            if isinstance(inner, Known) and isinstance(number, int | float) and math.isfinite(number):
                return Known(int(number) if function == "int" else float(number), inner.place)
        if function in ("lower", "upper") and isinstance(node.func, ast.Attribute) and not node.args:
            text = self.value(file, node.func.value, depth + 1)
            if isinstance(text, Known) and isinstance(text.value, str):
                return Known(text.value.lower() if function == "lower" else text.value.upper(), text.place)
        if function == "getattr" and len(node.args) >= 2 and isinstance(node.args[1], ast.Constant):
            name = node.args[1].value
            found = self.setting(name, file, depth) if isinstance(name, str) else None
            if found is None and len(node.args) == 3:
                return self.value(file, node.args[2], depth + 1)
            return found
        if function == "get" and node.args and isinstance(node.args[0], ast.Constant):
            name = node.args[0].value
            found = self.setting(name, file, depth, is_key=True) if isinstance(name, str) else None
            if found is None and len(node.args) == 2:
                return self.value(file, node.args[1], depth + 1)
            return found
        return None


class Symbol(msgspec.Struct, frozen=True):
    """A name that stands for itself, such as torch.float16."""

    name: str


def shown(value: object) -> str:
    """A value as a person writes it: 0.0005, not 5e-04 or 0.00050000000001."""
    if isinstance(value, float):
        text = f"{value:.6g}"
        return text if "e" in text or "." in text else f"{text}.0" if abs(value) < 10 and value != 0 else text
    if isinstance(value, tuple):
        return f"({', '.join(shown(item) for item in value)})"
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, str):
        return value
    return repr(value)


def argument_of(call: ast.Call, function: Function, name: str, is_method: bool) -> ast.expr | None:
    """The expression that a call passes to a parameter; None where it does not, or that is hidden in `*` or `**`."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if is_method and names and names[0] in ("self", "cls"):
        names = names[1:]
    if name not in names:
        return None
    index = names.index(name)
    if index < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: index + 1]):
        return call.args[index]
    return None


def _unless_others_differ(answer: Known, function: Function, name: str, calls: list[ast.Call]) -> Answer:
    """What a call passes, unless the calls beside it in one file pass other values that are written there."""
    is_method = bool(function.args.args) and function.args.args[0].arg in ("self", "cls")
    found = [answer.value]
    for call in calls:
        given = argument_of(call, function, name, is_method)
        if given is None and not _passes_more(call):
            given = defaults_of(function).get(name)
        if isinstance(given, ast.Constant) and given.value not in (None, *found):
            found.append(given.value)
    return answer if len(found) == 1 else Unknown(" or ".join(shown(value) for value in found[:4]))


def _passes_more(call: ast.Call) -> bool:
    """Whether `*` or `**` may hand over what the call does not name."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    )


def _is_conditional(file: SourceFile, node: ast.AST) -> bool:
    """Whether a condition in the same function decides whether a node is reached."""
    for outer in file.outwards(node):
        if isinstance(outer, Function):
            return False
        if isinstance(outer, ast.If):
            return True
    return False


def _parameters(function: Function) -> frozenset[str]:
    arguments = function.args
    return frozenset(one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _assignments(scope: Function) -> dict[str, list[ast.Assign | ast.AnnAssign]]:
    """Name -> the assignments to it in a function."""
    found: dict[str, list[ast.Assign | ast.AnnAssign]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in {target.id for target in targets if isinstance(target, ast.Name)}:
                found.setdefault(name, []).append(node)
    return found


def _binds(scope: Function, name: str) -> bool:
    """Whether a function gives the name a value that is not followed here: loops, unpacking, several assignments."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(scope)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return all(_is_literal(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return isinstance(node, ast.Constant)
