"""What an expression stands for, as far as the text of the project tells. The machine of `semantics` evaluates it; what
nothing in it gives a value is looked for where the project writes one: assignments above, calls, attributes of
configuration objects, options and defaults. What only a run knows stays unknown."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.frame import Frame, Unreachable
from mindport.semantics.flow.imports import NoSources
from mindport.semantics.flow.machine import Machine
from mindport.semantics.flow.objects import Namespace
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Dotted, Ref, Unknown, is_unknown
from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.api_use import ImportBinding
from mindport.usage.recipe.answer import Answer, KnownValue, Open, shown
from mindport.usage.recipe.assigned import assigned_before, counted_in, is_local
from mindport.usage.recipe.code import Code, Function, SourceFile, written
from mindport.usage.recipe.entry import SettingLine
from mindport.usage.recipe.given import is_conditional, is_exception, is_handed_on, is_literal
from mindport.usage.recipe.mentions import Mentions
from mindport.usage.recipe.parameters import (
    argument_of,
    constants_passed,
    defaults_of,
    parameters_of,
    passes_more,
)
from mindport.usage.recipe.settings import ProjectSettings, Setting, SettingKind

_DEEPEST = 12  # expressions that stand for names in other ones
_MOST_CALLERS = 4
_MOST_STEPS = 3_000  # before an expression is left open
# Whose attributes are options of the command line.
_OPTION_OBJECTS = frozenset(("args", "opt", "opts", "options", "flags", "FLAGS", "hparams", "arguments"))


class _AsWritten(Unknown, frozen=True, eq=False, kw_only=True):
    """A value that is not known, with the expression that gives it, or the several values that it may be."""

    text: str


class _Worth(msgspec.Struct, frozen=True):
    """A value of the machine's and the line that it is written on."""

    value: Any
    place: SettingLine


class Evaluation(Domain):
    """One expression or setting that is asked for, with all that has to be looked at for it."""

    def __init__(self, code: Code, settings: ProjectSettings, mentions: Mentions) -> None:
        self._code = code
        self._settings = settings
        self._mentions = mentions
        self._m = Machine(NoSources(), self, _MOST_STEPS)
        self._asked: list[ast.expr] = []  # each stands for what the next one is asked for
        self._place: SettingLine | None = (
            None  # where the first name of the expression at hand is given its value
        )

    def answer(self, file: SourceFile, node: ast.expr) -> Answer:
        """What an expression stands for."""
        try:
            worth = self._worth(file, node)
        except BudgetSpent:
            return Open(written(node))
        data = self._data(worth.value)
        if isinstance(worth.value, _AsWritten):
            return Open(worth.value.text)
        return Open(written(node)) if data is UNKNOWN else KnownValue(data, worth.place)

    def setting(self, name: str) -> KnownValue | None:
        """What the project sets a name to."""
        try:
            worth = self._setting(name)
        except BudgetSpent:
            return None
        return None if worth is None else KnownValue(self._data(worth.value), worth.place)

    def part(self, owner: Any, name: str) -> Any:
        return UNKNOWN if isinstance(owner, _AsWritten) else owner

    def settled(self, m: Machine, frame: Frame, node: ast.expr, value: Any) -> Any:
        """What the project writes for an expression that evaluating gives no value."""
        file = self._code.file(frame.path)
        is_asked = node in self._asked  # `self.lr = config.lr` goes in a circle
        if isinstance(value, _AsWritten) or is_asked or file is None or len(self._asked) >= _DEEPEST:
            return value
        self._asked.append(node)
        worth = self._written(file, node)
        self._asked.pop()
        if worth is None:
            return value
        is_value = not isinstance(worth.value, Unknown | Dotted) and not _is_tested(file, node)
        if self._place is None and is_value:
            self._place = worth.place
        return worth.value

    def _worth(self, file: SourceFile, node: ast.expr) -> _Worth:
        around, self._place = self._place, None
        before = self._m.heap.fork()
        try:
            value = self._m.evaluate(self._frame(file, node), node)
        except (Unreachable, RecursionError):
            self._m.heap = before
            value = UNKNOWN
        place, self._place = self._place or file.place(node), around
        if is_unknown(value) and not isinstance(value, _AsWritten):
            value = _AsWritten(text=written(node), is_outside=value.is_outside, is_object=value.is_object)
        return _Worth(value, place)

    def _frame(self, file: SourceFile, node: ast.expr) -> Frame:
        """What an expression sees: names that are there, and that nothing is known of."""
        functions = [one for one in file.outwards(node) if isinstance(one, Function)]
        module = self._m.new(Namespace(file.path, is_open=True))
        bound = frozenset(name for one in functions for name in scope_of(one).bound)
        return Frame(file.path, self._m.new(Namespace(file.path, module, is_open=True, bound=bound)), module)

    def _data(self, value: Any) -> Any:
        """A value as Python's own, lists as tuples; unknown for what is no number, text or name of torch."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return value
        if isinstance(value, Dotted):
            return value if value.name.startswith("torch.") else UNKNOWN
        items = value if isinstance(value, tuple) else self._m.plain(value)
        if not isinstance(items, tuple | list) or items == []:  # an empty list is there to be filled
            return UNKNOWN
        data = [self._data(one) for one in items]
        return UNKNOWN if UNKNOWN in data else tuple(data)

    def _written(self, file: SourceFile, node: ast.expr) -> _Worth | None:
        """What the project writes for a name, attribute, item or call of `getattr` and `get`; None where nothing."""
        outer = file.parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            return self._outside(file, node)  # a setting is a number or a text
        if isinstance(outer, ast.Attribute):
            around = file.parents.get(outer)
            is_method = isinstance(around, ast.Call) and around.func is outer
            found = self._looked_for(file, node) if is_method else None
            has_methods = found is not None and isinstance(found.value, str | Ref)
            return found if has_methods else self._outside(file, node)
        return self._looked_for(file, node)

    def _looked_for(self, file: SourceFile, node: ast.expr) -> _Worth | None:
        if isinstance(node, ast.Name):
            return self._name(file, node)
        if isinstance(node, ast.Attribute):
            return self._attribute(file, node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            name = node.slice.value
            return self._setting(name, file, is_key=True) if isinstance(name, str) else None
        function = last_name(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and function in ("getattr", "get"):
            given = node.args[function == "getattr" :]
            name = given[0].value if given and isinstance(given[0], ast.Constant) else None
            if not isinstance(name, str):
                return None
            found = self._setting(name, file, is_key=function == "get")
            return self._worth(file, given[1]) if found is None and len(given) == 2 else found
        return None

    def _name(self, file: SourceFile, node: ast.Name) -> _Worth | None:
        for scope in file.outwards(node):
            if not isinstance(scope, Function):
                continue
            if node.id in counted_in(scope):
                return None
            if assigned := assigned_before(scope, node):
                return self._either(file, assigned)
            if node.id in parameters_of(scope):
                return self._parameter(file, scope, node.id)
        if is_local(file, node):
            return None
        for home, value in self._constants(node.id, (file.path,)):
            if all(inner is not node for inner in every_node(value)):
                return self._worth(home, value)
        for binding, paths in self._bindings(file, node):
            constant = next(self._constants(binding.name.replace("*", node.id), paths), None)
            if constant is not None:
                return self._worth(*constant)
        return self._outside(file, node)

    def _bindings(self, file: SourceFile, node: ast.Name) -> Iterator[tuple[ImportBinding, list[str]]]:
        """The imports that bind a name, each with the files that it leads to."""
        for binding in () if is_local(file, node) else file.usage.imports:
            if node.id == binding.local or binding.name == "*":
                yield binding, [path for _, _, path in self._code.finder.find_all(file.path, binding)]

    def _outside(self, file: SourceFile, node: ast.expr) -> _Worth | None:
        """The name outside of the project that an import binds."""
        for binding, paths in self._bindings(file, node) if isinstance(node, ast.Name) else ():
            if not paths and not binding.module.startswith(".") and binding.name != "*":
                root = binding.module.partition(".")[0]
                module = root if binding.local == root and not binding.name else binding.module
                return _Worth(self.named(f"{module}.{binding.name}".rstrip(".")), file.place(node))
        return None

    def _constants(self, name: str, paths: Collection[str]) -> Iterator[tuple[SourceFile, ast.expr]]:
        """What files give a name outside of functions and classes."""
        for setting in self._settings.named(name):
            is_constant = setting.kind is SettingKind.CONSTANT and setting.place.path in paths
            if is_constant and setting.file is not None and setting.node is not None:
                yield setting.file, setting.node

    def _either(self, file: SourceFile, nodes: list[ast.expr]) -> _Worth:
        """What several values come to: one, where they agree; else all of them as text."""
        found = [self._worth(file, node) for node in nodes[-3:]]
        if len(found) == 1:
            return found[0]
        data = [self._data(one.value) for one in found]
        if UNKNOWN not in data and all(one == data[0] for one in data):
            return found[0]
        texts = [
            written(node) if value is UNKNOWN else shown(value)
            for value, node in zip(data, nodes[-3:], strict=True)
        ]
        return _Worth(_AsWritten(text=" or ".join(dict.fromkeys(texts))), found[0].place)

    def _parameter(self, file: SourceFile, function: Function, name: str) -> _Worth | None:
        """What a parameter gets from the first call that tells, else its default if no call passes anything."""
        owner = file.class_of(function)
        called = owner.name if function.name == "__init__" and owner is not None else function.name
        default = defaults_of(function).get(name)
        folder = file.path.rpartition("/")[0]
        # Of several packages that use the same code, the one that defines it counts most.
        callers = sorted(
            self._mentions.callers(called),
            key=lambda pair: not pair[0].is_main and not pair[0].path.startswith(folder),
        )
        is_passed = False
        for caller_file, call in callers[:_MOST_CALLERS]:
            if function in caller_file.outwards(call):
                continue
            argument = argument_of(call, function, name, is_method=owner is not None)
            if argument is not None:
                worth = self._worth(caller_file, argument)
            elif default is not None and not passes_more(call):
                worth = self._worth(file, default)
            else:
                continue
            if not is_unknown(worth.value):
                beside = [one for other, one in callers if other is caller_file]
                return self._unless_others_differ(worth, constants_passed(function, name, beside))
            is_passed = True
        return None if is_passed or default is None else self._worth(file, default)

    def _unless_others_differ(self, worth: _Worth, others: list[object]) -> _Worth:
        """What a call passes, unless the calls beside it pass other values that are written there."""
        value = self._data(worth.value)
        found = [value, *(one for one in others if one != value)]
        if len(found) == 1 or value is UNKNOWN:
            return worth
        return _Worth(_AsWritten(text=" or ".join(shown(one) for one in found[:4])), worth.place)

    def _attribute(self, file: SourceFile, node: ast.Attribute) -> _Worth | None:
        receiver = last_name(node.value)
        if receiver == "self":
            owner = file.class_of(node)
            return None if owner is None else self._own_attribute(owner, node.attr)
        return self._setting(node.attr, file, is_option=receiver in _OPTION_OBJECTS)

    def _own_attribute(self, owner: ast.ClassDef, name: str, seen: tuple[str, ...] = ()) -> _Worth | None:
        for setting in self._set_in(owner, name):
            if setting.node is not None and setting.file is not None:
                return self._worth(setting.file, setting.node)
        for function in [one for one in owner.body if isinstance(one, Function)]:
            # `self.lr = lr` is no setting of its own: the parameter is.
            entry = self._code.classes.get(owner.name)
            if function.name == "__init__" and entry is not None and name in parameters_of(function):
                return self._parameter(entry[0], function, name)
        for base in owner.bases:
            entry = self._code.classes.get(last_name(base))
            if entry is not None and entry[1].name not in (*seen, owner.name):
                return self._own_attribute(entry[1], name, (*seen, owner.name))
        # `self.max_epoch = exp.max_epoch`: an attribute that is only handed on keeps the name of the setting.
        return self._setting(name) if is_handed_on(owner, name) else None

    def _set_in(self, owner: ast.ClassDef, name: str) -> list[Setting]:
        """The places that set an attribute of a class. Several classes may have the same name, as experiments have
        that override the one they derive from: the class itself comes first."""
        own = [
            one
            for one in self._settings.named(name)
            if one.owner == owner.name and one.node is not None and not is_exception(one)
        ]
        return sorted(
            own,
            key=lambda one: one.file is None or one.node is None or one.file.class_of(one.node) is not owner,
        )

    def _setting(
        self, name: str, file: SourceFile | None = None, is_option: bool = False, is_key: bool = False
    ) -> _Worth | None:
        """What the project sets a name to: of several places the one that decides most, the same file first."""

        # `lr = config.lr if "lr" in config else 0.1`, over several lines: what is given elsewhere comes before it.
        handed_on = {
            one.place.path
            for one in self._settings.named(name)
            if one.kind is SettingKind.CONSTANT
            and isinstance(one.node, ast.Attribute)
            and one.node.attr == name
        }

        def order(setting: Setting) -> tuple[object, ...]:
            is_wanted = (
                (setting.kind is SettingKind.OPTION)
                if is_option
                else (setting.kind >= SettingKind.FILE and is_key)
            )
            is_here = file is not None and setting.place.path == file.path
            is_main = setting.file is not None and setting.file.is_main
            beside = self._settings.beside(setting)
            is_default = setting.kind is SettingKind.PARAMETER
            is_default |= setting.kind is SettingKind.CONSTANT and setting.place.path in handed_on
            return (not is_wanted, is_default, not is_here, not is_main, -beside, setting.kind)

        fallback: _Worth | None = None
        for setting in sorted(self._settings.named(name), key=order):
            if setting.node is None:
                return _Worth(self._m.lifted(setting.value), setting.place)
            if setting.file is None or is_exception(setting):
                continue
            function = setting.file.function_of(setting.node)
            if setting.kind is SettingKind.PARAMETER and function is not None:
                worth = self._parameter(setting.file, function, name)
            else:
                worth = self._read_from(setting, self._worth(setting.file, setting.node))
            value = UNKNOWN if worth is None else self._data(worth.value)
            if worth is not None and value is not UNKNOWN:
                if self._is_one_of_several(setting, value):
                    return None
                worth = _Worth(worth.value, setting.place if is_literal(setting.node) else worth.place)
                if value is not None:
                    return worth
                fallback = fallback or worth
            elif fallback is not None and setting.owner in _OPTION_OBJECTS:
                return None  # `if args.lr is None: args.lr = ...`: what follows is not what a run takes
        return fallback

    def _read_from(self, option: Setting, worth: _Worth) -> _Worth:
        """What a script makes of the text of an option, by `args.gpus = [int(one) for one in args.gpus.split(",")]`."""
        if option.kind is not SettingKind.OPTION or not isinstance(worth.value, str):
            return worth
        for one in self._settings.named(option.name):
            if one.owner in _OPTION_OBJECTS and one.file is option.file and one.file and one.node:
                inside = every_node(one.node)
                is_made_of_it = any(last_name(inner) == option.name for inner in inside)
                if is_made_of_it and not any(inner in self._asked for inner in inside):
                    return self._worth(one.file, one.node)
        return worth

    def _is_one_of_several(self, setting: Setting, value: object) -> bool:
        """Whether a setting is given under a condition, or in one of several tables, and the same function gives it
        another value elsewhere."""
        file, node = setting.file, setting.node
        if file is None or node is None or setting.kind not in (SettingKind.ATTRIBUTE, SettingKind.KEY):
            return False
        if setting.kind is SettingKind.ATTRIBUTE and not is_conditional(file, node):
            return False
        scope = file.function_of(node)
        return any(
            other.node is not None
            and other.file is file
            and (other.kind, other.owner) == (setting.kind, setting.owner)
            and file.function_of(other.node) is scope
            and is_literal(other.node)
            and self._data(self._worth(file, other.node).value) not in (UNKNOWN, value)
            for other in self._settings.named(setting.name)
        )


def _is_tested(file: SourceFile, node: ast.expr) -> bool:
    """Whether an expression only decides which one of two others counts."""
    inner: ast.AST = node
    for outer in file.outwards(node):
        if not isinstance(outer, ast.expr) or (isinstance(outer, ast.IfExp) and outer.test is inner):
            return isinstance(outer, ast.IfExp)
        inner = outer
    return False
