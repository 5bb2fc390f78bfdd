"""What the names of one scope stand for, place by place: who else has a tensor's storage, and who reads it later."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from mindport.source.trees import children, every_node
from mindport.usage.shared_storage import (
    ELSEWHERE,
    UNTOLD,
    Source,
    bound_sources,
    element_sources,
    held,
    sources,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[int, int]
# Whether a caller of the function at hand reads again what it gave for a parameter of this name.
ReadByCallers = Callable[[str], bool]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
# Whose parts, one statement after the other, may be passed over.
_BRANCHING = (ast.If, *_LOOPS, ast.Try, ast.ExceptHandler, ast.match_case)
_UNRECORDED = frozenset({"no_grad", "inference_mode"})
_KEEPERS = frozenset({"append", "appendleft", "add", "insert"})
_START: Place = (0, 0)
_FAR: Place = (1 << 60, 0)


class _Binding(msgspec.Struct):
    """A name gets a value at a place: whose storage that may have, and in which part of a statement that may be passed
    over."""

    place: Place
    sources: Sequence[Source]
    block: _Block | None
    is_of_loop: bool = False


class _Block(msgspec.Struct):
    """From where to where the statements reach that stand one after the other in a branch or a loop."""

    start: Place
    end: Place


class StatementInPlace(msgspec.Struct):
    """A statement `name op= value`, from `start` to `end`, `shift` lines further down than its tree says."""

    start: Place
    end: Place
    name: str
    shift: int
    statement: ast.AugAssign


class StatementCall(msgspec.Struct):
    """A call in a statement from `before` to `after`."""

    before: Place
    after: Place
    statement: ast.stmt
    node: ast.Call


class ScopeStorage:
    """`statements` come with how many lines further down they stand than their trees say; `function` is None for those
    of a module, and `mentioned` are names that other scopes have. `inner` are the functions and classes that the
    statements define, `held_by_self` what they put into attributes of `self`."""

    def __init__(
        self,
        statements: Sequence[tuple[int, ast.stmt]],
        function: Function | None = None,
        mentioned: Iterable[str] = (),
    ) -> None:
        self.function = function
        self.parameters = parameter_names(function) if function is not None else []
        self.changes: list[StatementInPlace] = []
        self.calls: list[StatementCall] = []
        self.inner: list[Function | ast.ClassDef] = []
        self.held_by_self: list[tuple[str, ast.expr]] = []
        self._bindings: defaultdict[str, list[_Binding]] = defaultdict(list)
        self._keepers: defaultdict[str, list[tuple[Place, Source]]] = defaultdict(list)
        self._reads: defaultdict[str, list[Place]] = defaultdict(list)
        self._elsewhere = set(mentioned)
        self._declared: set[str] = set()
        self._loops: list[_Block] = []
        self._unrecorded: list[_Block] = []
        for shift, statement in statements:
            self._visit(statement, shift)

    def mentioned(self) -> set[str]:
        """The names that are read here or in scopes inside."""
        return {*self._reads, *self._elsewhere}

    def shared(self, change: StatementInPlace, is_read_by_callers: ReadByCallers) -> Source | None:
        """Who else has the tensor that a change is about, and reads it afterwards; None where nobody does. Where nobody
        reads the new value either, the change is meant for whoever has the old one."""
        name, place = change.name, change.start
        if name in self._declared:
            return None
        owners = self._owners(name, place)
        for one in owners:
            if self._is_read(one.name, name, place, change.end, is_read_by_callers):
                return one
        if self._is_read_after(name, place, change.end):
            return None
        return next((one for one in owners if one.name != name or one.name in self.parameters), None)

    def binds(self, name: str) -> bool:
        """Whether a name gets a value here, from a caller or otherwise."""
        return name in self._bindings or name in self.parameters

    def is_unrecorded(self, change: StatementInPlace) -> bool:
        """Whether a change is of a tensor from before a block, `with torch.no_grad():`, in which it stands."""
        around = [one for one in self._unrecorded if one.start <= change.start <= one.end]
        return bool(around) and all(
            one.place < around[0].start for one in self._reaching(change.name, change.start)
        )

    def is_parameter(self, name: str, call: StatementCall) -> bool:
        """Whether a name still is what a caller gave where a call stands."""
        return name in self.parameters and not self._reaching(name, call.before)

    def is_read_again(
        self, argument: ast.expr, call: StatementCall, is_read_by_callers: ReadByCallers
    ) -> bool:
        """Whether anybody reads the tensor that a call gets when the call is done with it."""
        for source in sources(argument):
            if source.name == ELSEWHERE:
                return True
            owners = (source, *self._owners(source.name, call.before))
            if any(
                _is_read_beside(call.statement, call.node, one.name)
                or self._is_read(one.name, "", call.before, call.after, is_read_by_callers)
                for one in owners
            ):
                return True
        return False

    def _visit(self, statement: ast.stmt, shift: int) -> None:
        """Notes what a statement and all in it do, in order; of other scopes only the names that they have."""
        waiting: list[tuple[ast.AST, _Block | None, ast.stmt]] = [(statement, None, statement)]
        while waiting:
            node, block, around = waiting.pop()
            if isinstance(node, (*DEFINITIONS, ast.Lambda)):
                self._elsewhere.update(one.id for one in every_node(node) if isinstance(one, ast.Name))
                if not isinstance(node, ast.Lambda):
                    self.inner.append(node)
                continue
            blocks = dict(self._parts(node, shift)) if isinstance(node, _BRANCHING) else {}
            if isinstance(node, ast.stmt):
                around = node
                self._note(node, *_extent(node, shift), shift, block)
                if isinstance(node, (ast.For, ast.AsyncFor)):
                    inside = blocks[node.body[0]]
                    self._bind(element_sources(node.target, node.iter), inside.start, inside, is_of_loop=True)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._reads[node.id].append((node.lineno + shift, node.col_offset))
            elif isinstance(node, ast.Call):
                self.calls.append(StatementCall(*_extent(around, shift), around, node))
            parts = [(one, blocks.get(one, block), around) for one in children(node)]
            waiting += reversed(parts)

    def _parts(self, node: ast.AST, shift: int) -> Iterator[tuple[ast.AST, _Block]]:
        """The statements in each part of a branch or a loop, with what they stand in. The condition of a loop is asked
        again in each turn."""
        for field in ("body", "orelse", "finalbody"):
            statements: list[ast.stmt] = getattr(node, field, [])
            if not statements:
                continue
            block = _Block(_extent(statements[0], shift)[0], _extent(statements[-1], shift)[1])
            if field == "body" and isinstance(node, _LOOPS):
                if isinstance(node, ast.While):
                    block.start = _extent(node, shift)[0]
                self._loops.append(block)
            yield from ((one, block) for one in statements)

    def _note(self, node: ast.stmt, start: Place, end: Place, shift: int, block: _Block | None) -> None:
        match node:
            case ast.AugAssign(target=ast.Name(id=name)):
                self.changes.append(StatementInPlace(start, end, name, shift, node))
                if isinstance(node.value, (ast.List, ast.Tuple)):
                    self._keep(node.target, node.value, end)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(bound_sources(target, value), end, block)
                    self._keep(target, value, end)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(bound_sources(target, value), end, block)
            case ast.With(items=entered) | ast.AsyncWith(items=entered):
                if any(map(_stops_recording, entered)):
                    self._unrecorded.append(_Block(start, end))
                for target in (one.optional_vars for one in entered if one.optional_vars is not None):
                    self._bind(bound_sources(target, ast.Constant(None)), start, block)
            case ast.Expr(ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[*_, value])):
                if attr in _KEEPERS:
                    self._kept_by(owner.id if isinstance(owner, ast.Name) else ELSEWHERE, value, end)
            case ast.Expr(ast.Yield(value=ast.expr() as value)):
                self._kept_by(ELSEWHERE, value, end)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                self._declared.update(names)

    def _bind(
        self,
        bound: Iterable[tuple[str, list[Source]]],
        place: Place,
        block: _Block | None,
        *,
        is_of_loop: bool = False,
    ) -> None:
        for name, found in bound:
            self._bindings[name].append(_Binding(place, found, block, is_of_loop))

    def _keep(self, target: ast.expr, value: ast.expr, place: Place) -> None:
        """What is put into a name, an attribute, or under a key."""
        match target:
            case ast.Tuple(elts=targets) if isinstance(value, ast.Tuple):
                for one, given in zip(targets, value.elts, strict=False):
                    self._keep(one, given, place)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                self.held_by_self.append((name, value))
                self._kept_by(ELSEWHERE, value, place)
            case ast.Name(id=name):
                self._kept_by(name, value, place)
            case ast.Attribute():
                self._kept_by(ELSEWHERE, value, place)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
                self._kept_by(name, value, place)

    def _kept_by(self, keeper: str, value: ast.expr, place: Place) -> None:
        for one in held(value):
            if one.name not in (ELSEWHERE, keeper):
                self._keepers[one.name].append((place, Source(keeper, one.is_view)))

    def _reaching(self, name: str, place: Place) -> list[_Binding]:
        """The bindings of a name that may be the one it has at a place."""
        bindings, found = self._bindings[name], []
        for one in reversed([found for found in bindings if found.place <= place]):
            found.append(one)
            if one.block is None or one.block.start <= place <= one.block.end:
                return found
        for loop in self._loops_around(place):
            found += (one for one in bindings if place < one.place <= loop.end)
        return found

    def _loops_around(self, place: Place) -> list[_Block]:
        """The loops that a place is in."""
        return [one for one in self._loops if one.start <= place <= one.end]

    def _owners(self, name: str, place: Place) -> list[Source]:
        """What else may have the tensor that a name has at a place: names, that of a parameter itself among them, and
        `ELSEWHERE`."""
        found: list[Source] = []
        seen: set[tuple[str, Place]] = set()
        waiting = [(Source(name), place)]
        while waiting:
            one, since = waiting.pop()
            if (one.name, since) in seen:
                continue
            seen.add((one.name, since))
            reaching = self._reaching(one.name, since)
            for binding in reaching:
                for source in binding.sources:
                    owner = Source(source.name, one.is_view or source.is_view)
                    if not self._is_bound_between(owner.name, binding.place, place):
                        found.append(owner)
                    if owner.name != ELSEWHERE:
                        waiting.append((owner, binding.place))
                if binding.is_of_loop and not binding.sources:
                    found.append(Source(UNTOLD))
            if not reaching and one.name in self.parameters:
                found.append(one)
            first = min((binding.place for binding in reaching), default=_START)
            for made, keeper in self._keepers[one.name]:
                if first <= made <= place and not self._is_bound_between(keeper.name, made, place):
                    found.append(Source(keeper.name, one.is_view or keeper.is_view))
        return found

    def _is_bound_between(self, name: str, start: Place, end: Place) -> bool:
        """Whether a name surely gets another value between two places."""
        return any(
            start < one.place <= end and (one.block is None or one.block.start <= end <= one.block.end)
            for one in self._bindings[name]
        )

    def _is_read(
        self, owner: str, changed: str, start: Place, end: Place, is_read_by_callers: ReadByCallers
    ) -> bool:
        """Whether an owner of the tensor that a statement from `start` to `end` changes by another name is read
        afterwards."""
        if owner == ELSEWHERE:
            return True
        if owner in self.parameters and not self._reaching(owner, start) and is_read_by_callers(owner):
            return True
        if owner == changed:
            return False
        return owner in self._declared or self._is_read_after(owner, start, end)

    def _is_read_after(self, name: str, start: Place, end: Place) -> bool:
        """Whether the value that a name has at a statement is read behind it, or in the next turn of a loop."""
        if name in self._elsewhere:
            return True
        surely = (
            one.place
            for one in self._bindings[name]
            if one.place >= end and (one.block is None or one.block.start <= start <= one.block.end)
        )
        until = min(surely, default=_FAR)
        bound = max((one.place for one in self._reaching(name, start)), default=_START)
        loops = [one for one in self._loops_around(start) if bound < one.start]
        return any(
            end < read < until or any(one.start <= read <= end for one in loops) for read in self._reads[name]
        )


def _is_read_beside(statement: ast.stmt, call: ast.Call, name: str) -> bool:
    """Whether the statement of a call reads a name when the call is done: behind it, or as an operand or element beside
    it, which is the same tensor."""
    own = set(every_node(call))
    around = [node for node in every_node(statement) if node not in own]
    holding: set[ast.AST] = {call}
    for node in reversed(around):
        if any(part in holding for part in children(node)):
            holding.add(node)
    for node in around:
        for part in children(node):
            match part:
                case ast.Name(id=found, ctx=ast.Load()) if found == name and part not in own:
                    is_behind = (part.lineno, part.col_offset) > _extent(call, 0)[1]
                    if is_behind or node in holding:
                        return True
    return False


def _stops_recording(item: ast.withitem) -> bool:
    """Whether a block under the item is one that torch does not record for gradients."""
    match item.context_expr:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[]):
            return name in _UNRECORDED
    return False


def parameter_names(function: Function) -> list[str]:
    """The names of what a function is given by place or by name, in order."""
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _extent(node: ast.stmt | ast.expr, shift: int) -> tuple[Place, Place]:
    end = (node.end_lineno or node.lineno) + shift, node.end_col_offset or 0
    return (node.lineno + shift, node.col_offset), end
