"""Functions that nobody is seen calling, and what their branches and returns tell of shapes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindport.semantics.domains.shapes.arguments import ShapePlaces, TorchNames
from mindport.semantics.domains.shapes.values import (
    OF_A_TENSOR,
    RANDOM,
    Known,
    ValueKind,
    differ_in_shape,
    joined,
    kept,
    known,
)
from mindport.semantics.flow.domain import Domain
from mindport.semantics.flow.frame import AttributeWrite, Frame, Path, Unreachable
from mindport.semantics.flow.functions import frame_of, run_in
from mindport.semantics.flow.heap import Heap
from mindport.semantics.flow.iteration import iterate
from mindport.semantics.flow.objects import Function, FunctionNode, Instance, Namespace, Table
from mindport.semantics.flow.scopes import scope_of
from mindport.semantics.flow.values import UNKNOWN, Dotted, Ref, of_several
from mindport.source.trees import every_node

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

COLLATE = "collate"  # in the names of functions that make a batch of items
_DEEPEST = 3  # calls in calls
_TENSOR_CLASSES = ("torch.Tensor", "mindspore.Tensor")


class Functions(ShapePlaces, Domain):
    """Looks into functions where they are made."""

    names: TorchNames
    compiled = ""

    def __init__(self) -> None:
        super().__init__()
        self._returned: dict[FunctionNode | None, dict[ast.Return, Any]] = {}
        self._open: dict[FunctionNode | None, dict[ast.If, str]] = {}  # tests on data, with their cause
        self._inside: list[FunctionNode] = []
        self.yielded: dict[Ref, Any] = {}  # any item of a generator expression

    def new_origin(self) -> int:
        """A number that nothing else has."""
        raise NotImplementedError

    def defined(self, m: Machine, made: Ref) -> None:
        """Run it once, for arguments of which nothing is known; nothing of that lasts."""
        thing = m.heap.read(made)
        outer, compiled = m.heap, self.compiled
        m.heap = outer.fork()
        m.catchers.append(m.unwatched())
        try:
            if isinstance(thing, Function):
                if not isinstance(thing.node, ast.Lambda):
                    self.compiled = self.names.compiled_by(thing.node) or compiled
                self._look_into(m, thing)
            else:
                iterate(m, made, lambda item: self._note_item(m, made, item))
        except Unreachable:
            pass
        finally:
            m.catchers.pop()
            m.heap, self.compiled = outer, compiled

    def follows(self, m: Machine, function: Function) -> bool:
        """Not into itself: nothing of a shape is learnt there."""
        return m.budget.depth < _DEEPEST and function.node not in self._inside

    def _note_item(self, m: Machine, generator: Ref, item: Any) -> None:
        seen, item = self.yielded, kept(m.heap, item)
        seen[generator] = joined(seen[generator], item) if generator in seen else of_several(item)

    def _look_into(self, m: Machine, function: Function) -> None:
        node = function.node
        scope = scope_of(node)
        where: Ref | None = function.closure
        while where is not None:  # when it is called, names of the code around it may hold something else
            around = m.heap.write(where)
            around.names = {name: of_several(value) for name, value in around.names.items()}
            where = around.outer
        names = Namespace(function.path, function.closure, bound=scope.bound)
        frame = frame_of(m, function, m.new(names))
        m.heap.write(frame.names).names = self._parameters(m, frame, node)
        if scope.yields:
            frame.when_yielded = lambda value: UNKNOWN
        self._inside.append(node)
        try:
            run_in(m, frame)
        finally:
            self._inside.pop()
        if isinstance(node, ast.FunctionDef) and COLLATE in node.name:
            self._look_at_collate(node)
        self._compare_returns(node)

    def _parameters(self, m: Machine, frame: Frame, node: FunctionNode) -> dict[str, Any]:
        arguments = node.args
        found: dict[str, Any] = {}
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if one.arg == "self":
                found["self"] = m.new(Instance(UNKNOWN))
                continue
            kind = one.annotation
            is_tensor = isinstance(kind, ast.Name | ast.Attribute) and (
                m.evaluate(frame, kind) in [Dotted(name) for name in _TENSOR_CLASSES]
            )
            what = ValueKind.TENSOR if is_tensor else ValueKind.OTHER
            found[one.arg] = Known(what, form=one.arg, origin=self.new_origin(), is_outside=is_tensor)
        if arguments.vararg is not None:
            found[arguments.vararg.arg] = UNKNOWN
        if arguments.kwarg is not None:
            found[arguments.kwarg.arg] = m.new(Table(None))
        return found

    def _look_at_collate(self, node: ast.FunctionDef) -> None:
        """A collate function that leaves the items apart: tuple(zip(*batch))."""
        for statement in node.body:
            value = statement.value if isinstance(statement, ast.Return) else None
            inner = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 else value
            if (
                isinstance(inner, ast.Call)
                and isinstance(inner.func, ast.Name)
                and inner.func.id == "zip"
                and any(isinstance(one, ast.Starred) for one in inner.args)
            ):
                self.note("batch", inner, "zip", "each item keeps its own size")

    def assigned(self, m: Machine, write: AttributeWrite, value: Any) -> Any:
        """A tensor of this call kept in the object, in what is compiled: self.x = ... without self.x in it."""
        target = write.target
        is_own = target is not None and isinstance(target.value, ast.Name) and target.value.id == "self"
        if self.compiled and is_own and known(value).is_tensor:
            text = f"self.{write.name}"
            reads = (one for one in every_node(write.source) if isinstance(one, ast.Attribute))
            if all(ast.unparse(one) != text for one in reads):
                self.note("graph", target, "attribute-tensor-read", self.compiled)
        return value

    def returned(self, m: Machine, frame: Frame, node: ast.Return, value: Any) -> None:
        seen = self._returned.setdefault(frame.function, {})
        value = kept(m.heap, value)
        seen[node] = joined(seen[node], value) if node in seen else value

    def branched(
        self, frame: Frame, node: ast.If, test: Any, before: Heap, ends: Sequence[Sequence[Path]]
    ) -> None:
        """Whether a name has results of different shapes after the branches of a test on data."""
        asked = known(test)
        if not asked.is_data or asked.cause == RANDOM:
            return
        cause = OF_A_TENSOR if asked.is_tensor else asked.cause
        self._open.setdefault(frame.function, {}).setdefault(node, cause)
        if not all(ends):
            return
        heaps = [before, ends[0][0][0], ends[1][0][0]]
        old, one, two = ({**heap.read(frame.names).names} for heap in heaps)
        for name in sorted(one.keys() & two.keys()):
            if name.startswith("_") or one[name] is old.get(name) is two[name]:
                continue
            if differ_in_shape(kept(heaps[1], one[name]), kept(heaps[2], two[name])):
                self.note("branches", node.test, name, cause)
                return

    def _compare_returns(self, function: FunctionNode) -> None:
        """Whether a branch returns another shape than what comes after it."""
        returned = self._returned.pop(function, {})
        for node, cause in self._open.pop(function, {}).items():
            start, end = node.body[0].lineno, node.body[-1].end_lineno or 0
            inside = [value for one, value in returned.items() if start <= one.lineno <= end]
            after = [value for one, value in returned.items() if one.lineno > end]
            if any(differ_in_shape(one, two) for one in inside for two in after):
                self.note("branches", node.test, "the result", cause)
