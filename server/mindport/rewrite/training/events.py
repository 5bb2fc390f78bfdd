"""Recognises the statements of a training step."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindport.model.span import Position, Span
from mindport.rewrite.spans import span_of
from mindport.rewrite.training.limits_looked_up import chooses_limit
from mindport.source.lines import LineIndex
from mindport.source.trees import children, every_node
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.stepped_networks import is_stepped_otherwise


class StepEvent(enum.Enum):
    """What a statement of a training step does."""

    ZERO = "clears gradients"
    BACKWARD = "adds gradients"
    CLIP = "limits gradients"
    UNSCALE = "takes the scale of a loss out of the gradients"
    STEP = "changes the parameters"
    UPDATE = "adapts the scale of a loss"


class Event(msgspec.Struct, frozen=True):
    """One such statement. `owner` is the source of what it is called on: the optimizer, the network whose gradients are
    cleared or clipped, the scaler."""

    what: StepEvent
    statement: ast.stmt
    call: ast.Call
    owner: str = ""
    loss: ast.expr | None = None
    limit: ast.expr | None = None  # of gradients
    scaler: str = ""


class Unclear(Exception):
    """A statement that belongs to training but cannot be rewritten; the text says why."""

    def __init__(self, reason: str, node: ast.AST) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node


_CLIPS = {
    "torch.nn.utils.clip_grad_norm_": "clip_by_norm",
    "torch.nn.utils.clip_grad_norm": "clip_by_norm",
    "torch.nn.utils.clip_grad_value_": "clip_by_value",
}


_NORMS = frozenset(api for api, function in _CLIPS.items() if function == "clip_by_norm")
_LIMITS = {"max_norm": "limit", "clip_value": "limit"}
_UNRECORDED = ("torch.no_grad", "torch.inference_mode")


class Recogniser:
    """Recognises the events of one file from its torch uses."""

    def __init__(
        self,
        uses: Iterable[ApiUse],
        lines: LineIndex,
        own_methods: Iterable[Span] = (),
    ) -> None:
        # Names such as `Tensor = torch.cuda.FloatTensor if ... else ...`.
        self.tensor_types: frozenset[str] = frozenset()
        self.constants: frozenset[str] = frozenset()  # names of the module that hold data
        # By the name of a function: its arguments that hold no graph, whoever calls it.
        self.without_graph: Mapping[str, frozenset[str]] = {}
        # By the name of a function: its arguments that a caller gives a graph, and the attributes of its object that
        # another method leaves with one.
        self.graph_arguments: Mapping[str, frozenset[str]] = {}
        self.graph_attributes: Mapping[str, frozenset[str]] = {}
        # Names and attributes that functions change which are not theirs.
        self.changed_elsewhere: frozenset[str] = frozenset()
        # Names of functions that read gradients which a step left.
        self.gradient_readers: frozenset[str] = frozenset()
        self.functions: frozenset[str] = frozenset()  # names of functions and methods of the file
        # Names of functions that keep what they are given, or what they compute.
        self.value_keepers: frozenset[str] = frozenset()
        # Names of functions that put together what earlier calls of others have kept.
        self.kept_readers: frozenset[str] = frozenset()
        # Names of networks that optimizers take, whole or in part.
        self.stepped_networks: frozenset[str] = frozenset()
        # The end of an expression tells the parts of `a.b.c` apart.
        uses = tuple(uses)
        self._uses = {use.span.end: use for use in uses}
        self._operators = {use.span for use in uses if use.form is Form.OPERATOR}
        self._own_methods = {span.end for span in own_methods}
        self._lines = lines

    def use(self, node: ast.expr) -> ApiUse | None:
        """The torch use that an expression is."""
        return self._uses.get(self._end_of(node))

    @property
    def changes_tensors(self) -> bool:
        """Whether the file may have `x += y` of a tensor."""
        return bool(self._operators)

    def changes_tensor(self, node: ast.AugAssign) -> bool:
        """Whether `x += y` is an operator of a tensor."""
        return span_of(node, self._lines) in self._operators

    def uses_any(self, is_it: Callable[[str], bool]) -> bool:
        """Whether the file uses a name of torch that something holds for."""
        return any(is_it(use.api) for use in self._uses.values())

    def is_own_method(self, node: ast.expr) -> bool:
        """Whether an expression names a method of the project's own, which may do more than torch's of that name."""
        return self._end_of(node) in self._own_methods

    def _end_of(self, node: ast.expr) -> Position:
        line = node.end_lineno or node.lineno
        return Position(line, self._lines.column_of_byte(line, node.end_col_offset or 0))

    def api(self, node: ast.expr) -> str:
        """The torch name that an expression is, or nothing."""
        use = self.use(node)
        return "" if use is None else use.api

    def holds_graph(self, node: ast.Attribute) -> bool:
        """Whether an attribute with the name of a tensor's memory is something else: `packed.data` of a PackedSequence,
        and whatever a class of the project's own calls `data`, are tensors of the graph."""
        return node.attr == "data" and self.api(node) != "torch.Tensor.data"

    def stops_recording(self, item: ast.withitem) -> bool:
        """Whether a block is run under the item without a record for gradients."""
        manager = item.context_expr
        return self.api(manager.func if isinstance(manager, ast.Call) else manager) in _UNRECORDED

    def event(self, statement: ast.stmt) -> Event | None:
        """What a statement does in a training step; None for any other statement. Raises Unclear."""
        found = self._event(statement)
        own = [one for one in _methods_of(found) if self.is_own_method(one)] if found is not None else []
        if own and found is not None and found.what is StepEvent.ZERO:
            return None  # whatever it clears; it stays
        if own:
            raise Unclear(
                "a method of your own takes part in the step, and what it does would be lost", own[0]
            )
        return found

    def _event(self, statement: ast.stmt) -> Event | None:
        for call in _calls_of(statement):
            api = self.api(call.func)
            if api in _CLIPS or api.endswith("clip_grads_with_norm_") or chooses_limit(self.use(call.func)):
                return self._clip(statement, call, api)
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        if not isinstance(value, ast.Call):
            return None
        api = self.api(value.func)
        if api == "torch.autograd.backward":
            raise Unclear("the gradients of several losses are taken at once", statement)
        if not isinstance(value.func, ast.Attribute):
            return None
        owner = ast.unparse(value.func.value)
        match value.func.attr:
            case "backward":
                return self._backward(statement, value)
            case "zero_grad" if isinstance(statement, ast.Expr):
                return Event(StepEvent.ZERO, statement, value, owner)
            case "step" if _names_schedule(owner):
                return None
            case "step" if _is_optimizer(api) or (not api and names_optimizer(owner)):
                if value.args or value.keywords or not isinstance(statement, ast.Expr):
                    raise Unclear("the step is given a closure, or its result is used", statement)
                return Event(StepEvent.STEP, statement, value, owner)
            case "step" if names_scaler(owner) and len(value.args) == 1:
                return Event(StepEvent.STEP, statement, value, ast.unparse(value.args[0]), scaler=owner)
            case "unscale_" if len(value.args) == 1:
                return Event(StepEvent.UNSCALE, statement, value, ast.unparse(value.args[0]), scaler=owner)
            case "update" if names_scaler(owner) and not value.args:
                return Event(StepEvent.UPDATE, statement, value, scaler=owner)
        return None

    def _backward(self, statement: ast.stmt, call: ast.Call) -> Event:
        assert isinstance(call.func, ast.Attribute)
        if not isinstance(statement, ast.Expr):
            raise Unclear("the result of backward() is used", statement)
        if call.args:
            raise Unclear("backward() is given a gradient or a loss", statement)
        for keyword in call.keywords:
            if keyword.arg not in ("retain_graph", "create_graph") or not _is_constant(keyword.value):
                raise Unclear(f"backward() is given {keyword.arg or 'a dictionary'}", statement)
            if keyword.arg == "create_graph" and ast.unparse(keyword.value) == "True":
                raise Unclear("backward() keeps the graph of the gradients", statement)
        loss, scaler = call.func.value, ""
        if isinstance(loss, ast.Call) and isinstance(loss.func, ast.Attribute) and loss.func.attr == "scale":
            scaler = ast.unparse(loss.func.value)
            if len(loss.args) != 1 or loss.keywords:
                raise Unclear("the scaled loss is not one value", statement)
            loss = loss.args[0]
        return Event(StepEvent.BACKWARD, statement, call, loss=loss, scaler=scaler)

    def _clip(self, statement: ast.stmt, call: ast.Call, api: str) -> Event:
        passed: dict[str | None, ast.expr] = dict(
            zip(("parameters", "limit", "norm_type"), call.args, strict=False)
        )
        passed |= {_LIMITS.get(keyword.arg or "", keyword.arg): keyword.value for keyword in call.keywords}
        passed.pop("foreach", None)  # a matter of speed
        if _is_false(passed.get("error_if_nonfinite")):  # as it is unless asked for
            del passed["error_if_nonfinite"]
        first, limit, norm_type = passed.get("parameters"), passed.get("limit"), passed.get("norm_type")
        # ops.clip_by_norm limits each gradient by itself for other norms than these.
        is_known = norm_type is None or ast.unparse(norm_type) in ("2", "2.0")
        if api not in _CLIPS or limit is None or len(call.args) > 3 or not is_known:
            raise Unclear("the gradients are limited in a way that has no counterpart", statement)
        if passed.keys() - {"parameters", "limit", "norm_type"} or not _may_be_repeated(limit):
            raise Unclear("the gradients are limited in a way that has no counterpart", statement)
        is_used = not (isinstance(statement, ast.Expr) and statement.value is call)
        if is_used and (api not in _NORMS or not _computes_once(statement, call, limit)):
            raise Unclear("the norm of the gradients is used in a way that has no counterpart", statement)
        if not (isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute)):
            raise Unclear("not the gradients of a whole network are limited", statement)
        if first.func.attr != "parameters" or first.args:
            raise Unclear("not the gradients of a whole network are limited", statement)
        if is_stepped_otherwise(first.func.value, self.stepped_networks):
            raise Unclear("other gradients are limited than those that an optimizer steps with", statement)
        return Event(StepEvent.CLIP, statement, call, ast.unparse(first.func.value), limit=limit)


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _methods_of(event: Event) -> Iterator[ast.expr]:
    """The methods whose work an event stands for."""
    yield event.call.func
    for argument in (*event.call.args, event.loss):
        if isinstance(argument, ast.Call):  # `net.parameters()` that are clipped
            yield argument.func
    scaled = event.call.func.value if isinstance(event.call.func, ast.Attribute) else None
    if event.scaler and isinstance(scaled, ast.Call):
        yield scaled.func  # `scaler.scale(loss).backward()`


def clip_function(api: str) -> str:
    """The function of `mindspore.ops` that limits gradients as a torch function does."""
    return _CLIPS[api]


def _may_be_repeated(node: ast.expr) -> bool:
    """Whether an expression may be written twice: it is short, and calls nothing."""
    if isinstance(node, ast.Attribute):
        return _may_be_repeated(node.value)
    return isinstance(node, (ast.Name, ast.Constant))


def _calls_of(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls in a statement itself, not in those inside it."""
    waiting = [one for one in children(statement) if not isinstance(one, ast.stmt)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        waiting.extend(one for one in children(node) if not isinstance(one, ast.stmt))


def _computes_once(statement: ast.stmt, call: ast.Call, limit: ast.expr) -> bool:
    """Whether a statement surely makes a call once, so that what the call does besides may be done behind it, where the
    limit still is what it was."""
    if not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)):
        return False
    targets = [
        one for one in every_node(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]
    if {one.id for one in targets} & {one.id for one in every_node(limit) if isinstance(one, ast.Name)}:
        return False
    return any(one is call for one in _run_once(statement))


def _run_once(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated whenever a node is, and only once."""
    yield node
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return
    inner = children(node)
    if isinstance(node, ast.IfExp):
        inner = [node.test]
    elif isinstance(node, ast.BoolOp):
        inner = [*node.values[:1]]
    for one in inner:
        yield from _run_once(one)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _is_optimizer(api: str) -> bool:
    return api.startswith("torch.optim.") and not api.startswith(
        ("torch.optim.lr_scheduler.", "torch.optim.swa")
    )


def names_optimizer(owner: str) -> bool:
    """Whether a name is that of an optimizer."""
    name = owner.rpartition(".")[2].lower()
    return "optim" in name or name == "opt"


def _names_schedule(owner: str) -> bool:
    """Whether a name is that of a schedule of learning rates, whose `step()` looks like an optimizer's."""
    return "sched" in owner.rpartition(".")[2].lower()


def names_scaler(owner: str) -> bool:
    """Whether a name is that of a scaler of losses."""
    return "scaler" in owner.lower()
