"""Rewrites gradients for inputs, as in a gradient penalty: `autograd.grad(outputs, inputs, create_graph=True)` of what
a network made of its inputs becomes the gradient of the network, and one of such a gradient, as in `u_xx` of a physics-
informed network, the gradient of the gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import msgspec

from mindport.model.span import Position, Span
from mindport.rewrite.gradient_parameters import GRADIENT_PARAMETERS
from mindport.rewrite.pieces import HelperName, Piece, mindspore_name
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import StatementPlace, own_nodes, places, written
from mindport.rewrite.training.layout import Layout
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_GRAD, _FORWARD = "torch.autograd.grad", "torch.nn.Module.forward"
_OF_ARRAYS = ("torch.tensor", "torch.as_tensor", "torch.from_numpy")
_KEEPS = frozenset(
    ("to", "cuda", "float", "type", "type_as", "requires_grad_", "detach", "clone", "contiguous")
)


class Penalty(msgspec.Struct):
    """One gradient for an input: `expression` in `statement` becomes the gradient of `network`, which `forward` calls,
    for the argument at the place `position`, or of its output at the place `member`; where there is another gradient
    `inner`, that one's gradient. `maker` made the outputs and goes, if it is a statement of its own and nobody else
    reads them; `marks` are calls of `requires_grad_` on the inputs."""

    statement: ast.stmt
    expression: ast.expr
    is_indexed: bool
    is_graph_kept: bool
    forward: ast.Call
    network: ast.expr
    member: int | None
    position: int
    maker: ast.stmt | None
    marks: list[ast.Call]
    dropped: list[ast.stmt]
    inner: Penalty | None = None
    counted: str = ""  # the outputs whose number the gradient is divided by: it is that of their mean

    @property
    def statements(self) -> list[ast.stmt]:
        """Those that change, but for the marks."""
        return [self.statement, *([self.maker] if self.maker is not None else ()), *self.dropped]


def find_penalties(scope: ast.Module | ast.FunctionDef, recogniser: Recogniser) -> list[Penalty]:
    """The gradients for inputs that a scope takes. Raises Unclear for one that cannot be rewritten."""
    found: list[Penalty] = []
    for place in places(scope):
        for at, statement in enumerate(place.body):
            if not isinstance(statement, (ast.Assign, ast.Return, ast.Expr)):
                continue
            for node in own_nodes(statement):
                if isinstance(node, ast.Call) and recogniser.api(node.func) == _GRAD:
                    found.append(_penalty(node, statement, place, at, scope, recogniser, found))
    return found


def _penalty(
    node: ast.Call,
    statement: ast.stmt,
    place: StatementPlace,
    at: int,
    scope: ast.Module | ast.FunctionDef,
    recogniser: Recogniser,
    others: Sequence[Penalty],
) -> Penalty:
    passed: dict[str, ast.expr] = dict(zip(GRADIENT_PARAMETERS, node.args, strict=False))
    passed |= {keyword.arg or "**": keyword.value for keyword in node.keywords}
    outputs, inputs = _summed(_only(passed.get("outputs")), recogniser), _only(passed.get("inputs"))
    outputs, counted = _averaged(outputs)
    if passed.keys() - set(GRADIENT_PARAMETERS) or outputs is None or inputs is None or not _is_named(inputs):
        raise Unclear("the gradient is not taken for one named input", node)
    earlier = _earlier(place, at)
    call, maker, member, inner = outputs, None, None, None
    if isinstance(outputs, ast.Name):
        maker = _last_assignment(outputs.id, earlier)
        if maker is None:
            raise Unclear("what the gradient is taken of is computed elsewhere", node)
        call, member = _summed(maker.value, recogniser) or maker.value, _member(outputs.id, maker.targets[0])
        if counted and call is not maker.value:
            raise Unclear("the mean is not one of what a network returns", node)
        inner = next((one for one in others if one.statement is maker and one.is_graph_kept), None)
        if inner is not None:
            call, member = _taken_by(inner, maker, node), None
    network = _network(call, recogniser)
    if not isinstance(call, ast.Call) or network is None:
        raise Unclear("the gradient is not taken of what a network returns", node)
    position = _position(inputs, call)
    if position is None:
        raise Unclear("the input is not one argument of the network, given by its place", node)
    between = earlier[earlier.index(maker) + 1 :] if maker is not None else []
    if any(_reads(call, statement) for statement in between):
        raise Unclear("what the network is called with changes before the gradient is taken", node)
    weights = passed.get("grad_outputs")
    dropped: list[ast.stmt] = []
    if weights is not None and not (isinstance(weights, ast.Constant) and weights.value is None):
        ones, moves = _before_moves(weights.id, earlier) if isinstance(weights, ast.Name) else (None, [])
        if not _is_ones(ones.value if ones is not None else weights, recogniser):
            raise Unclear("the gradients of the outputs are not ones for certain", node)
        if ones is not None and isinstance(weights, ast.Name):
            in_moves = sum(_uses(weights.id, move) for move in moves)
            if _uses(weights.id, scope) == 2 + in_moves:
                dropped += [ones, *moves]
    if counted and (inner is not None or weights is not None):
        raise Unclear("the mean is not one of what a network returns", node)
    if maker is not None and (
        inner is not None or counted or _is_read_elsewhere(maker, (*dropped, node), scope)
    ):
        maker = None
    expression, is_indexed = _indexed(statement, node)
    marks = list(_marks(ast.unparse(inputs), earlier))
    keeps = passed.get("create_graph")
    is_kept = isinstance(keeps, ast.Constant) and keeps.value is True
    if call.keywords and (inner is not None or not is_kept):
        raise Unclear("the network gets something by its name", node)
    return Penalty(
        statement,
        expression,
        is_indexed,
        is_kept,
        call,
        network,
        member,
        position,
        maker,
        marks,
        dropped,
        inner,
        counted,
    )


def _earlier(place: StatementPlace, at: int) -> list[ast.stmt]:
    """The statements before one, in its block and in those around it, as far as to a loop: what stands before that may
    be bound anew in it."""
    before = place.body[:at]
    if place.outer is None or place.is_loop_body:
        return before
    return [*_earlier(place.outer, place.at), *before]


def _taken_by(inner: Penalty, maker: ast.Assign, node: ast.expr) -> ast.Call:
    """The call of the network that a gradient was taken of, where the statement gives a name to that gradient and to
    nothing else."""
    match maker:
        case ast.Assign(targets=[ast.Name()], value=value) if value is inner.expression and inner.is_indexed:
            return inner.forward
        case ast.Assign(targets=[ast.Tuple(elts=[_])], value=value) if value is inner.expression:
            return inner.forward
    raise Unclear("the gradient is taken of more than another gradient", node)


def _network(call: ast.expr, recogniser: Recogniser) -> ast.expr | None:
    """The network that is called, by its name or, `self.forward(x)`, by its method. None where it is a function of
    torch's or has no name."""
    match call:
        case ast.Call(func=ast.Attribute(value=owner) as method) if recogniser.api(method) == _FORWARD:
            return owner if _has_name(owner) else None
        case ast.Call(func=callee) if not recogniser.api(callee).startswith("torch.") and _has_name(callee):
            return callee
    return None


def _has_name(callee: ast.expr) -> bool:
    """Whether a network is called by a name, `critic`, `self.critic`, or by its place in what has one, `nets["d"]`."""
    match callee:
        case ast.Subscript(value=value, slice=ast.Constant() | ast.Name() | ast.Attribute()):
            return _has_name(value)
    return isinstance(callee, (ast.Name, ast.Attribute))


def _is_named(node: ast.expr) -> bool:
    """Whether an expression is a variable or an attribute, `batch.pos`."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_named(node.value))


def _position(inputs: ast.expr, call: ast.Call) -> int | None:
    """The place of a variable among the arguments of a call; None where it is not exactly one of those that are given
    by their places, or where it is not seen what is given."""
    name = ast.unparse(inputs)
    given = [ast.unparse(one) == name for one in call.args]
    is_plain = all(one.arg for one in call.keywords) and not any(
        isinstance(one, ast.Starred) for one in call.args
    )
    uses = sum(
        isinstance(one, (ast.Name, ast.Attribute)) and ast.unparse(one) == name for one in every_node(call)
    )
    return given.index(True) if is_plain and any(given) and uses == 1 else None


def _reads(call: ast.Call, statement: ast.stmt) -> bool:
    """Whether a call reads a variable or an attribute that a statement binds anew."""
    attributes = {
        ast.unparse(one)
        for one in every_node(statement)
        if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load)
    }
    return any(_uses(name, call) for name in written(statement)) or any(
        isinstance(one, ast.Attribute) and ast.unparse(one) in attributes for one in every_node(call)
    )


def _only(node: ast.expr | None) -> ast.expr | None:
    """The expression, or the only one of a list."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return node.elts[0] if len(node.elts) == 1 else None
    return node


def _summed(node: ast.expr | None, recogniser: Recogniser) -> ast.expr | None:
    """What is summed up, `scores` in `scores.sum()`: the gradient of what a network returns is that of its sum."""
    match node:
        case ast.Call(func=function, args=[only], keywords=[]) if recogniser.api(function) == "torch.sum":
            return only
        case ast.Call(func=ast.Attribute(value=value, attr="sum"), args=[], keywords=[]):
            return value
    return node


def _averaged(node: ast.expr | None) -> tuple[ast.expr | None, str]:
    """What `scores.mean()` is the mean of, where it has a name, and that name."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name) as value, attr="mean"), args=[], keywords=[]
        ):
            return value, name
    return node, ""


def _last_assignment(name: str, earlier: Sequence[ast.stmt]) -> ast.Assign | None:
    """The plain assignment that gave a name its value, or those of a tuple, if it is the last statement that could
    have."""
    for statement in reversed(earlier):
        if name in written(statement):
            match statement:
                case ast.Assign(targets=[ast.Name()]):
                    return statement
                case ast.Assign(targets=[ast.Tuple(elts=parts)]) if all(
                    isinstance(part, ast.Name) for part in parts
                ):
                    return statement
            return None
    return None


def _before_moves(name: str, earlier: Sequence[ast.stmt]) -> tuple[ast.Assign | None, list[ast.stmt]]:
    """The plain assignment that gave a name its value, and the statements behind it that only move that to a device or
    a type: `if cuda: ones = ones.cuda()`."""
    moves: list[ast.stmt] = []
    for at in range(len(earlier), 0, -1):
        statement = earlier[at - 1]
        if name in written(statement):
            if not _moves(statement, name):
                return _last_assignment(name, earlier[:at]), moves
            moves.insert(0, statement)
    return None, moves


def _moves(statement: ast.stmt, name: str) -> bool:
    """Whether all that a statement does is to move what a name stands for."""
    match statement:
        case ast.If(body=body, orelse=orelse):
            return all(_moves(one, name) for one in (*body, *orelse))
        case ast.Assign(
            targets=[ast.Name(id=target)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=moved), attr=attr)),
        ):
            return target == moved == name and attr in _KEEPS
    return False


def _member(name: str, target: ast.expr) -> int | None:
    """The place of a name in a tuple that is assigned to."""
    parts = target.elts if isinstance(target, ast.Tuple) else ()
    return next((at for at, part in enumerate(parts) if isinstance(part, ast.Name) and part.id == name), None)


def _is_read_elsewhere(maker: ast.Assign, users: Sequence[ast.AST], scope: ast.AST) -> bool:
    """Whether anything that a statement assigns is read by others than `users`."""
    names = {one.id for one in every_node(maker.targets[0]) if isinstance(one, ast.Name)}
    known = {id(one) for user in users for one in every_node(user)}
    return any(
        isinstance(one, ast.Name)
        and one.id in names
        and isinstance(one.ctx, ast.Load)
        and id(one) not in known
        for one in every_node(scope)
    )


def _is_ones(node: ast.expr, recogniser: Recogniser) -> bool:
    """Whether an expression is a tensor of ones."""
    if isinstance(node, ast.IfExp):
        return _is_ones(node.body, recogniser) and _is_ones(node.orelse, recogniser)
    if not isinstance(node, ast.Call):
        return False
    api = recogniser.api(node.func)
    if api in ("torch.ones", "torch.ones_like"):
        return True
    if api == "torch.full":
        return len(node.args) == 2 and _is_one(node.args[1])
    if len(node.args) == 1 and _is_array_of_ones(node.args[0]):
        return api.endswith("Tensor") or api in _OF_ARRAYS or not api
    if api.endswith("autograd.Variable") and node.args:
        return _is_ones(node.args[0], recogniser)
    if isinstance(node.func, ast.Attribute):
        if node.func.attr == "fill_":
            return len(node.args) == 1 and _is_one(node.args[0])
        return node.func.attr in _KEEPS and _is_ones(node.func.value, recogniser)
    return False


def _is_array_of_ones(node: ast.expr) -> bool:
    """Whether an expression is an array of ones of NumPy, which a call makes a tensor of."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.ones", "numpy.ones")


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _count(name: str, node: ast.AST) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in every_node(node))


def _uses(name: str, scope: ast.AST) -> int:
    """How often a scope writes or reads a name."""
    return _count(name, scope)


def _indexed(statement: ast.stmt, call: ast.Call) -> tuple[ast.expr, bool]:
    """The `[0]` around the call where there is one."""
    for node in own_nodes(statement):
        if isinstance(node, ast.Subscript) and node.value is call and ast.unparse(node.slice) == "0":
            return node, True
    return call, False


def _marks(name: str, earlier: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    """Calls of `requires_grad_` on what becomes the input, `x.requires_grad_()`, `x = x.requires_grad_().clone()`."""
    for statement in earlier:
        value = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
        while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            is_own = ast.unparse(value.func.value) == name or name in written(statement)
            if value.func.attr == "requires_grad_" and is_own:
                yield value
            value = value.func.value if value.func.attr in _KEEPS else None


class PenaltyWriter:
    """Writes gradients for inputs into a layout of the text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def write(self, penalty: Penalty) -> None:
        """Write one of them."""
        index = self._layout.index
        arguments = [*penalty.forward.args, *(one.value for one in penalty.forward.keywords)]
        first, last = span_of(arguments[0], index), span_of(arguments[-1], index)
        new: list[Piece] = [*_gradient_function(penalty, index), "(", _stretch(first.start, last.end), ")"]
        if penalty.counted:
            new = ["(", *new, f" / {penalty.counted}.numel())"]
        if not penalty.is_indexed:
            new = ["(", *new, ",)"]
        self._replace(penalty.expression, new)
        for statement in penalty.dropped if penalty.maker is None else [penalty.maker, *penalty.dropped]:
            if isinstance(statement, ast.If):
                self._layout.delete_block(statement)
            else:
                self._layout.delete(self._layout.at(statement))
        for mark in penalty.marks:
            self._unmark(mark)

    def _replace(self, node: ast.expr, new: list[Piece]) -> None:
        """Write something else for one expression of a line."""
        number = self._layout.at(node)
        line, span = self._layout.lines[number].span, span_of(node, self._layout.index)
        before = _between(line.start, span.start)
        behind = _between(span.end, line.end)
        self._layout.replace(number, (*before, *new, *behind))

    def _unmark(self, mark: ast.Call) -> None:
        """Leave out `.requires_grad_(...)`; the whole line where there is nothing else in it."""
        number = self._layout.at(mark)
        line, whole = self._layout.lines[number].span, span_of(mark, self._layout.index)
        assert isinstance(mark.func, ast.Attribute)
        if line == whole:
            self._layout.delete(number)
            return
        text = self._layout.index.slice(_stretch(span_of(mark.func.value, self._layout.index).end, whole.end))
        match = re.search(r"\.\s*requires_grad_\s*\(", text)
        assert match is not None
        offset = self._layout.index.offset(span_of(mark.func.value, self._layout.index).end) + match.start()
        end = self._layout.index.position(offset)
        pieces = (*_between(line.start, end), *_between(whole.end, line.end))
        self._layout.replace(number, pieces)


def _gradient_function(penalty: Penalty, index: LineIndex) -> list[Piece]:
    """The function that takes a gradient."""
    of: list[Piece] = [span_of(penalty.network, index)]
    if penalty.inner is not None:
        of = _gradient_function(penalty.inner, index)
    if penalty.is_graph_kept:
        of += [f", {penalty.member}"] if penalty.member is not None else []
        of += [f", position={penalty.position}"] if penalty.position else []
        by_name = "_named" if penalty.forward.keywords else ""
        return [HelperName(f"torch{by_name}_input_gradient"), "(", *of, ")"]
    if penalty.member is not None:
        names = "x" if len(penalty.forward.args) == 1 else "*x"
        of = [f"lambda {names}: ", *of, f"({names})[{penalty.member}]"]
    of += [f", {penalty.position}"] if penalty.position else []
    return [mindspore_name("mindspore.grad"), "(", *of, ")"]


def _stretch(start: Position, end: Position) -> Span:
    return Span(start.line, start.column, end.line, end.column)


def _between(start: Position, end: Position) -> tuple[Span, ...]:
    """What stands between two places, as a hole; nothing where that is nothing."""
    return (_stretch(start, end),) if start < end else ()
