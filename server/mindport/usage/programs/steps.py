"""Takes the code of a project apart into blocks that run together (a function, a method, what a module does when it is
imported, what a script does when it is started) and says what each does step by step."""

from __future__ import annotations

import ast
import enum
import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from mindport.model.span import Span
from mindport.registry.libraries import library_of
from mindport.source.units import Unit, UnitKind
from mindport.source.written_names import dotted_name
from mindport.usage.api_use import FileUsage
from mindport.usage.data_code import MODULE
from mindport.usage.files import FileState
from mindport.usage.programs.evaluation import Evaluated, defined, evaluated
from mindport.usage.programs.gpu_branches import mentions_gpu, nodes_on_gpu
from mindport.usage.recipe.reached import is_main_guard, is_registered
from mindport.usage.resolve import Resolver
from mindport.usage.torch_model import TORCH_ROOTS
from mindport.usage.variables import UnitSummary, Variable

MAIN = "<main>"
"""The name of the block of what a script does when it is started."""

_LOADERS = frozenset(
    ("import_module", "__import__", "spec_from_file_location", "instantiate", "eval", "exec")
)

_Evaluate = Callable[[], Iterator[Evaluated]]
_Part = tuple[Unit, UnitSummary, _Evaluate]

Block = tuple[str, str]  # path and qualified name, MODULE or MAIN


class Doing(enum.Enum):
    """What a step does."""

    USE = enum.auto()  # of torch; `index` is its place in FileUsage.uses
    CALL = enum.auto()  # of a function of the project; `block` says which
    IMPORT = enum.auto()  # of a file of the project; `block` is what it does then
    METHOD = enum.auto()  # a call of a method of a value of unknown type; `name` is the method's
    BY_NAME = enum.auto()  # running code that is found by its name, or evaluated


class BlockStep(msgspec.Struct, frozen=True):
    """One thing that a block does, and whether it does it whenever it runs. `derived` is the class whose header it
    stands in; `needs_gpu`: it does it only where there is a GPU."""

    doing: Doing
    span: Span
    is_certain: bool
    index: int = -1
    block: Block = ("", "")
    name: str = ""
    derived: str = ""
    needs_gpu: bool = False


class Steps:
    """The blocks of the files of a project. `find` says where imports lead."""

    def __init__(
        self,
        texts: Mapping[str, str],
        state: Callable[[str], FileState],
        usage: Callable[[str], FileUsage],
        resolver: Resolver,
        find: Callable[[str, str, int], str | None],
    ) -> None:
        self._texts = texts
        self._state = state
        self._usage = usage
        self._resolver = resolver
        self._find = find
        self._blocks: dict[str, dict[str, list[_Part]]] = {}
        self._steps: dict[Block, tuple[BlockStep, ...]] = {}
        self._registered: dict[str, tuple[str, ...]] = {}
        self._uses: dict[str, dict[Span, int]] = {}
        self._guarded: dict[str, bool] = {}
        self._on_gpu: dict[Unit, frozenset[int]] = {}
        self._mention_gpus: dict[str, bool] = {}

    def has(self, block: Block) -> bool:
        """Whether the project has the block."""
        return block[0] in self._texts and block[1] in self._file(block[0])

    def names(self, path: str) -> tuple[str, ...]:
        """The qualified names of the functions and methods of a file."""
        return tuple(name for name in self._file(path) if name not in (MODULE, MAIN))

    def registered(self, path: str) -> tuple[str, ...]:
        """The definitions of a file that a decorator may hand to something that finds them by name."""
        self._file(path)
        return self._registered[path]

    def is_guarded(self, path: str) -> bool:
        """Whether what the file does when it is started stands behind a main guard, so that importing it does not."""
        found = self._guarded.get(path)
        if found is None:
            found = self._guarded[path] = "__main__" in self._texts[path] and any(
                is_main_guard(node)
                for unit in self._state(path).module.units
                if unit.kind is UnitKind.STATEMENT
                for node in unit.statements
            )
        return found

    def is_program(self, path: str) -> bool:
        """Whether starting the file does something: it has a main guard, or at its top calls functions of the project
        for what they do, or uses torch in loops or takes gradients."""
        if self.is_guarded(path):
            return True
        doing = [unit for unit in self._state(path).module.units if any(map(_is_doing, unit.statements))]
        if not doing or MAIN not in self._file(path):
            return False
        lines = {
            line
            for unit in doing
            for node in unit.statements
            for line in range(node.lineno + unit.shift, (node.end_lineno or node.lineno) + unit.shift + 1)
        }
        return any(
            step.span.line in lines and (step.doing is Doing.CALL or self._is_in_loop(step, path))
            for step in self.of((path, MAIN))
        )

    def _is_in_loop(self, step: BlockStep, path: str) -> bool:
        if step.doing is not Doing.USE:
            return False
        loops = (ast.For, ast.While, ast.With)
        is_gradient = self._usage(path).uses[step.index].api.endswith(".backward")
        return is_gradient or any(
            isinstance(node, loops)
            and node.lineno + unit.shift <= step.span.line <= (node.end_lineno or 0) + unit.shift
            for unit in self._state(path).module.units
            for node in unit.statements
        )

    def of(self, block: Block) -> tuple[BlockStep, ...]:
        """What a block does, in order."""
        found = self._steps.get(block)
        if found is None:
            found = self._steps[block] = tuple(self._read(block))
        return found

    def _file(self, path: str) -> dict[str, list[_Part]]:
        found = self._blocks.get(path)
        if found is None:
            found = self._blocks[path] = {}
            state = self._state(path)
            units = list(zip(state.module.units, state.summaries, strict=True))
            guards = self.is_guarded(path)
            names = []
            for unit, summary in units:
                for node in unit.statements:
                    for name, evaluate in _parts(unit, node, guards):
                        found.setdefault(name, []).append((unit, summary, evaluate))
                    if unit.kind is not UnitKind.MEMBER and is_registered(node):
                        names.append(getattr(node, "name", ""))
            found.setdefault(MODULE, [])
            self._registered[path] = tuple(names)
        return found

    def _read(self, block: Block) -> Iterator[BlockStep]:
        path, name = block
        state = self._state(path)
        uses = self._spans(path)
        for unit, summary, evaluate in self._file(path)[name]:
            calls = dict(zip(map(id, summary.call_nodes), summary.calls, strict=True))
            derived, on_gpu = _class_name(unit), self._nodes_on_gpu(path, unit)
            for node, is_certain in evaluate():
                if isinstance(node, ast.Import | ast.ImportFrom):
                    span = _span(node, unit, state)
                    for target in self._targets(path, node):
                        yield BlockStep(Doing.IMPORT, span, is_certain, block=(target, MODULE))
                    for name in self._hidden(path, node):
                        yield BlockStep(Doing.BY_NAME, span, is_certain, name=name)
                elif isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
                    span = _span(node, unit, state)
                    index = uses.get(span, -1)
                    if index >= 0:
                        needs_gpu = id(node) in on_gpu
                        yield BlockStep(
                            Doing.USE, span, is_certain, index, derived=derived, needs_gpu=needs_gpu
                        )
                    if isinstance(node, ast.Call):
                        callees = self._callees(summary, calls.get(id(node)))
                        for step in self._call(node, callees, uses, unit, state, is_certain):
                            yield msgspec.structs.replace(step, needs_gpu=id(node) in on_gpu)

    def _callees(self, summary: UnitSummary, call: Variable | None) -> Sequence[str]:
        """The keys of the functions of the project that a call in a unit may mean."""
        if call is None:
            return ()
        resolver = self._resolver
        outer, resolver.current = resolver.current, summary
        found = [record.key for record, _ in resolver.callees_of(call)]
        resolver.current = outer
        return found

    def _nodes_on_gpu(self, path: str, unit: Unit) -> frozenset[int]:
        mentions = self._mention_gpus.get(path)
        if mentions is None:
            mentions = self._mention_gpus[path] = mentions_gpu(self._texts[path])
        if not mentions:
            return frozenset()
        found = self._on_gpu.get(unit)
        if found is None:
            found = self._on_gpu[unit] = nodes_on_gpu(unit.statements)
        return found

    def _call(
        self,
        node: ast.Call,
        callees: Sequence[str],
        uses: Mapping[Span, int],
        unit: Unit,
        state: FileState,
        is_certain: bool,
    ) -> Iterator[BlockStep]:
        span = _span(node.func, unit, state)
        for key in callees:
            path, _, name = key.rpartition(":")
            yield BlockStep(Doing.CALL, span, is_certain and len(callees) == 1, block=(path, name))
        if callees:
            return
        parts = dotted_name(node.func)
        last = parts[-1] if parts is not None else getattr(node.func, "attr", "")
        if _is_by_name(node, last) or (last == "getattr" and self._asks_module(node, state)):
            yield BlockStep(Doing.BY_NAME, span, is_certain, name=last)
        elif isinstance(node.func, ast.Attribute) and span not in uses:
            is_module = parts is not None and parts[0] in state.imports and parts[0] not in state.bindings
            if not is_module and not (parts is not None and parts[0] in state.table.types):
                yield BlockStep(Doing.METHOD, span, is_certain, name=node.func.attr)

    def _asks_module(self, node: ast.Call, state: FileState) -> bool:
        """Whether `getattr(models, name)` looks a name that only a run knows up in a module of the project with
        torch in it."""
        match node.args:
            case [ast.Name(id=holder), asked, *_] if not isinstance(asked, ast.Constant):
                found = (
                    self._find(state.path, f"{one.module}.{one.name}".strip("."), one.level)
                    for one in state.imports.get(holder, ())
                )
                return any(path is not None and self._usage(path).uses for path in found)
        return False

    def _targets(self, path: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        """The files of the project that an import runs, with the packages on the way."""
        names: list[tuple[str, int]] = []
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                names += ((".".join(parts[:count]), 0) for count in range(1, len(parts) + 1))
        else:
            parts = node.module.split(".") if node.module else []
            names += (
                (".".join(parts[:count]), node.level)
                for count in range(0 if node.level else 1, len(parts) + 1)
            )
            names += ((".".join([*parts, alias.name]), node.level) for alias in node.names)
        for dotted, level in names:
            target = self._find(path, dotted, level)
            if target is not None and target != path:
                yield target

    def _hidden(self, path: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        """The modules of an import that only a run finds, in a file that changes what is searched: the project has
        several files of these names in other folders."""
        if "sys.path" not in self._texts[path]:
            return
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            modules = [node.module] if node.module and not node.level else []
        for dotted in modules:
            root = dotted.partition(".")[0]
            if (
                root in self._roots
                and self._find(path, root, 0) is None
                and self._find(path, dotted, 0) is None
            ):
                yield dotted

    @functools.cached_property
    def _roots(self) -> frozenset[str]:
        """What the files of the project could be imported as from somewhere, but for names that others have, too."""
        names = {part for path in self._texts for part in path.removesuffix(".py").split("/")[-2:]}
        known = sys.stdlib_module_names | TORCH_ROOTS
        return frozenset(name for name in names - known if library_of(name) is None)

    def _spans(self, path: str) -> dict[Span, int]:
        found = self._uses.get(path)
        if found is None:
            found = self._uses[path] = {use.span: index for index, use in enumerate(self._usage(path).uses)}
        return found


def _parts(unit: Unit, node: ast.stmt, has_guard: bool) -> Iterator[tuple[str, _Evaluate]]:
    """What a statement of a file adds to which of its blocks; most blocks are never asked for."""
    owner = f"{unit.owner}." if unit.kind is UnitKind.MEMBER else ""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield MODULE, functools.partial(defined, node)
        yield f"{owner}{node.name}", functools.partial(evaluated, node.body)
    elif unit.kind is UnitKind.CLASS and isinstance(node, ast.ClassDef):
        header = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        yield MODULE, functools.partial(evaluated, [ast.Expr(part) for part in header])
    elif is_main_guard(node):
        assert isinstance(node, ast.If)
        yield MAIN, functools.partial(evaluated, node.body)
    elif unit.kind is UnitKind.STATEMENT and not has_guard and _is_running(node):
        yield MAIN, functools.partial(evaluated, [node])
    else:
        yield MODULE, functools.partial(evaluated, [node])


def _class_name(unit: Unit) -> str:
    """The class whose header a unit is; empty for other units."""
    names = [node.name for node in unit.statements if isinstance(node, ast.ClassDef)]
    return names[0] if unit.kind is UnitKind.CLASS and names else ""


def _is_running(node: ast.stmt) -> bool:
    return not isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Try)


def _is_by_name(node: ast.Call, last: str) -> bool:
    """Whether a call of what is called `last` loads code by a name that only a run knows, or evaluates a text."""
    if last in ("eval", "exec"):  # `net.eval()` is another thing
        return isinstance(node.func, ast.Name)
    return last in _LOADERS


def _is_doing(node: ast.stmt) -> bool:
    """Whether a statement at the top of a file is there for what it does, not for a name that it gives."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return is_call or isinstance(node, ast.For | ast.While | ast.With)


def _span(node: ast.AST, unit: Unit, state: FileState) -> Span:
    first, last = node.lineno + unit.shift, node.end_lineno + unit.shift  # type: ignore[attr-defined]
    return Span(
        first,
        state.index.column_of_byte(first, node.col_offset),  # type: ignore[attr-defined]
        last,
        state.index.column_of_byte(last, node.end_col_offset),  # type: ignore[attr-defined]
    )
