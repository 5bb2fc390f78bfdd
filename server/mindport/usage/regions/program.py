"""The files of a project as the follower of gradients sees them: the bodies of modules, where imports lead, where a
call that differentiates twice may be, and who refers to a function by name."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Mapping

from mindport.source.module import ParsedModule
from mindport.source.trees import every_node
from mindport.source.units import Unit, UnitKind
from mindport.usage.files import FileState
from mindport.usage.variables import ImportRecord

# Text without which nothing in a file takes a gradient of a gradient. Looked for in every file after each edit, so it
# is a few plain searches and no pattern.
_SIGNS = (
    "create_graph", "hessian", "gradgradcheck", "functorch", "torch.func.", "torch.func ", "import func\n", "jacrev",
    "jacfwd", "hvp(", "vhp(", "GradOperation", "value_and_grad",
)  # fmt: skip
# Names of the calls themselves.
_CALLS = frozenset(
    {"hessian", "gradgradcheck", "jacrev", "jacfwd", "hvp", "vhp", "grad", "grad_and_value", "vjp", "jvp",
     "GradOperation", "value_and_grad"}
)  # fmt: skip
_CALLED_BY_FRAMEWORK = frozenset({"forward", "construct", "__call__", "__init__"})
_SIGNS_OF_CALLS = (*sorted(_CALLS), "create_graph")
_MOST_CALLERS = 12
_MOST_HOLDERS = 60
_DEEPEST_CLIMB = 6


def may_differentiate_twice(text: str) -> bool:
    """Whether the text has a word without which nothing takes a gradient of a gradient."""
    return any(sign in text for sign in _SIGNS) or ("mindspore" in text and "grad(" in text)


def no_pause() -> None:
    """For who has all the time it takes."""


Mentions = tuple[tuple[str, str, int, tuple[str, ...]], ...]


def mentions(module: ParsedModule, names: Iterable[str]) -> Mentions:
    """The units of a file that mention names, and which."""
    found = []
    for number, unit in enumerate(module.units):
        if not unit.statements:
            continue
        text = module.text_of(unit)
        inside = tuple(name for name in names if name in text)
        if inside:
            first = unit.statements[0]
            found.append((unit.owner, getattr(first, "name", ""), number, inside))
    return tuple(found)


class Holder:
    """A unit of a file, as the place of references: a function, a method, or statements of the module itself."""

    __slots__ = ("assigned", "function", "is_sign", "names", "owner", "path", "shift")

    def __init__(self, path: str, owner: str, statements: list[ast.stmt], shift: int) -> None:
        self.path = path
        self.owner = owner  # the class of a method
        self.shift = shift
        first = statements[0]
        self.function = first if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
        self.names: set[str] = set()
        self.assigned: dict[
            str, set[str]
        ] = {}  # class or function that is called -> names its result is given to
        self.is_sign = False
        for statement in statements:
            for node in every_node(statement):
                if isinstance(node, ast.Name):
                    self.names.add(node.id)
                elif isinstance(node, ast.Attribute):
                    self.names.add(node.attr)
                elif isinstance(node, ast.Call):
                    self._look_at_call(node)
                elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                    called = _last_name(node.value.func)
                    for target in node.targets:
                        self.assigned.setdefault(called, set()).add(_last_name(target))

    def _look_at_call(self, node: ast.Call) -> None:
        if _last_name(node.func) in _CALLS or any(keyword.arg == "create_graph" for keyword in node.keywords):
            self.is_sign = True


class RegionFiles:
    """Reads files on demand, and remembers which."""

    def __init__(
        self,
        texts: Mapping[str, str],
        state: Callable[[str], FileState],
        find: Callable[[str, str, int], str | None],
        holders: dict[int, tuple[list[ast.stmt], Holder]],
        pause: Callable[[], None] = no_pause,
    ) -> None:
        self.pause = pause  # called now and then: whoever waits for the run may do something else
        self._texts = texts
        self._state = state
        self._find = find
        self._holders = holders  # kept from run to run, by the identity of the trees
        self._used: set[int] = set()
        self.read: set[str] = set()  # the files that were looked into
        self.asked: set[str] = set()  # the names that references were looked for to

    def state(self, path: str) -> FileState:
        """The file."""
        self.read.add(path)
        return self._state(path)

    def has(self, path: str) -> bool:
        """Whether the project has the file."""
        return path in self._texts

    def target(self, path: str, record: ImportRecord) -> tuple[str, str] | None:
        """The file of the project that an import leads to, and the name in it (empty for the module itself)."""
        if not record.name:
            dotted = record.module if record.alias.asname else record.local
            found = self._find(path, dotted, 0)
            return (found, "") if found is not None else None
        module = self._find(path, record.module, record.level)
        if module is not None and self.defines(module, record.name):
            return module, record.name
        dotted = f"{record.module}.{record.name}" if record.module else record.name
        submodule = self._find(path, dotted, record.level)
        if submodule is not None and submodule != path:
            return submodule, ""
        return (module, record.name) if module is not None else None

    def defines(self, path: str, name: str) -> bool:
        """Whether the module binds the name, or may have it from a star import."""
        table = self.state(path).table
        return name in table.names or table.has_project_star

    def starred(self, path: str) -> list[str]:
        """The files of the project that a module takes all names from."""
        found = [self._find(path, record.module, record.level) for record in self.state(path).stars]
        return [target for target in found if target is not None and target != path]

    def covers(self, path: str, name: str) -> bool:
        """Whether a star import of the project stands behind the one of torch that has the name, and has it too."""
        records = self.state(path).table.covering(name)
        found = [self._find(path, record.module, record.level) for record in records]
        return any(target is not None and self._surely_has(target, name, (path,)) for target in found)

    def _surely_has(self, path: str, name: str, seen: tuple[str, ...]) -> bool:
        if path in seen or not self.has(path):
            return False
        if name in self.state(path).table.names:
            return True
        return any(self._surely_has(target, name, (*seen, path)) for target in self.starred(path))

    def submodule(self, path: str, name: str) -> str | None:
        """The file of a module below the package whose `__init__` is at `path`."""
        return self._find(path, name, 1) if path.endswith("__init__.py") else None

    def kept_holders(self) -> dict[int, tuple[list[ast.stmt], Holder]]:
        """The units that were looked at, for the next run."""
        return {key: pair for key, pair in self._holders.items() if key in self._used}

    # -- who refers to what

    def signs(self) -> list[Holder]:
        """The units with a call that may differentiate twice, in the order of their paths."""
        return [
            holder
            for path in sorted(self._texts)
            if may_differentiate_twice(self._texts[path])
            for holder in self._mentioning(path, _SIGNS_OF_CALLS)
            if holder.is_sign
        ]

    def referring(self, name: str) -> list[Holder]:
        """The units that mention a name."""
        self.asked.add(name)
        return [
            holder
            for path in sorted(self._texts)
            if name in self._texts[path]
            for holder in self._mentioning(path, (name,))
            if name in holder.names
        ]

    def _mentioning(self, path: str, words: Iterable[str]) -> list[Holder]:
        """The units of a file with one of the words in their text. Trees are walked only of those: most files have
        the word somewhere, few units do."""
        self.pause()
        module = self._state(path).module  # which is no look into what it says
        found = []
        for unit in module.units:
            if unit.kind is UnitKind.CLASS or not unit.statements:
                continue
            text = module.text_of(unit)
            if any(word in text for word in words):
                found.append(self._holder(path, unit))
        return found

    def _holder(self, path: str, unit: Unit) -> Holder:
        key = id(unit.statements)
        known = self._holders.get(key)
        if known is None or known[1].shift != unit.shift or known[1].path != path:
            # The trees are kept with it: an identity is good only while the object lives.
            known = (unit.statements, Holder(path, unit.owner, unit.statements, unit.shift))
            self._holders[key] = known
        self._used.add(key)
        return known[1]

    def look_into(self, holders: Iterable[Holder]) -> None:
        """Remember that the files of these units were looked into."""
        self.read |= {holder.path for holder in holders}

    def climb(self, start: list[Holder]) -> tuple[list[Holder], set[int]]:
        """The units that may lead to these by calls, themselves included, callers last; and the identities of those
        that have a caller among them."""
        found = list(start)
        have_callers: set[int] = set()
        layer = found
        for _ in range(_DEEPEST_CLIMB):
            following: list[Holder] = []
            for holder in layer:
                for name in _names_of(holder, found):
                    callers = self.referring(name)
                    if len(callers) > _MOST_CALLERS:
                        # A name such as `step` is everybody's: only who imports the module can mean this one.
                        callers = [caller for caller in callers if self._imports(caller.path, holder.path)]
                    for caller in callers:
                        if caller is holder:
                            continue
                        have_callers.add(id(holder))
                        if not any(caller is other for other in found) and len(found) < _MOST_HOLDERS:
                            found.append(caller)
                            following.append(caller)
            if not following:
                break
            layer = following
        return found, have_callers

    def _imports(self, path: str, other: str) -> bool:
        """Whether a file names the module of another; a word of its text is enough."""
        stem = posixpath.basename(other).removesuffix(".py")
        word = stem if stem != "__init__" else posixpath.basename(posixpath.dirname(other))
        self.asked.add(word)
        return path == other or word in self._texts[path]


def _names_of(holder: Holder, known: list[Holder]) -> list[str]:
    """The names by which others call what a unit holds."""
    if holder.function is None:
        return []
    name = holder.function.name
    if name not in _CALLED_BY_FRAMEWORK:
        return [name]
    # An instance is called under the names that it was given.
    names = {holder.owner}
    for other in known:
        names |= other.assigned.get(holder.owner, set())
    return sorted(names - {""})


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    return node.id if isinstance(node, ast.Name) else ""
