"""Finds the training steps of a scope: which gradients each optimizer steps with, and which statements compute the
loss that they are gradients of."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

import msgspec

from mindport.rewrite.training.data_only import SETTINGS, DataOnly
from mindport.rewrite.training.events import Event, Recogniser, Unclear, What
from mindport.rewrite.training.flow import (
    Names,
    Place,
    Reads,
    leaves_loop,
    names_as_values,
    own_nodes,
    places,
    read_with_gradient,
    taken_from_outside,
    written,
)
from mindport.rewrite.training.kept_graphs import calls_a_network, refuse_kept_graphs

_UNUSUAL = tuple(getattr(ast, name) for name in ("Match", "TryStar") if hasattr(ast, name))
Scope = ast.Module | ast.FunctionDef


class Backward(msgspec.Struct):
    """One `backward()`: the statements `start` to `at` of `place` become a function, whose gradients for the
    parameters of `optimizers` are taken."""

    event: Event
    place: Place
    at: int
    start: int
    needed: frozenset[int]  # the statements of `place` that the loss is computed by
    arguments: Names  # of the function around it, which the loss depends on and which may hold anything
    optimizers: list[str] = []
    handed_in: Names = frozenset()
    handed_out: tuple[str, ...] = ()
    tensors: Names = frozenset()  # names that surely hold tensors

    @property
    def statements(self) -> list[ast.stmt]:
        """What becomes the function."""
        return self.place.body[self.start : self.at + 1]


class Step(msgspec.Struct):
    """One `step()` with the `backward()` calls whose gradients it takes, and the limits put on these in between."""

    event: Event
    place: Place
    at: int
    backwards: list[Backward]
    clips: list[Event] = []


class Training(msgspec.Struct):
    """All training steps of one scope, and every statement that goes with them.

    Where gradients are added up over several passes, `first` is the statement before which there are none yet."""

    scope: Scope
    backwards: list[Backward]
    steps: list[Step]
    zeros: list[Event]
    dropped: list[Event]
    """Statements about the scale of a loss, which is not scaled any more."""
    accumulates: bool = False
    first: ast.stmt | None = None

    @property
    def is_certain(self) -> bool:
        """Whether no loss depends on an argument of the function that may have been computed with parameters."""
        return not any(backward.arguments for backward in self.backwards)

    @property
    def events(self) -> list[Event]:
        """All statements that become something else."""
        found = [*self.zeros, *self.dropped, *(one.event for one in self.backwards)]
        for step in self.steps:
            found += [step.event, *step.clips]
        return found


class _Placed(msgspec.Struct):
    event: Event
    place: Place
    at: int


class _Accumulates(Unclear):
    """Gradients of several passes are added up before a step."""


def find_training(scope: Scope, recogniser: Recogniser) -> Training | None:
    """The training steps of a scope; None where it has none. Raises Unclear where one cannot be rewritten."""
    found = list(_events(scope, recogniser))
    if not any(one.event.what is What.BACKWARD for one in found):
        lonely = next((one for one in found if one.event.what is What.STEP), None)
        if lonely is not None:
            raise Unclear("backward() is called in another function than step()", lonely.event.statement)
        return None
    _refuse_what_reads_gradients(scope, recogniser)
    steps = [one for one in found if one.event.what is What.STEP]
    if not steps:
        unstepped = next(one for one in found if one.event.what is What.BACKWARD)
        raise Unclear(
            "the optimizer steps in another function than the one with backward()", unstepped.event.statement
        )
    backwards = {id(one): _region(one, scope, recogniser) for one in found if one.event.what is What.BACKWARD}
    zeros = [one.event for one in found if one.event.what is What.ZERO]
    dropped = [one.event for one in found if one.event.what in (What.UNSCALE, What.UPDATE)]
    try:
        windows = [_window(one, found) for one in steps]
    except _Accumulates as unclear:
        first = _first_of_sum(found, scope, unclear)
        every = list(backwards.values())
        for backward in every:
            backward.optimizers.append(steps[0].event.owner)
            _hand_over(backward, scope, recogniser)
        clips = [one.event for one in found if one.event.what is What.CLIP]
        sums = [Step(one.event, one.place, one.at, every) for one in steps]
        sums[0].clips.extend(clips)
        return Training(scope, every, sums, zeros, dropped, accumulates=True, first=first)
    done = []
    for one, window in zip(steps, windows, strict=True):
        taken = [backwards[id(other)] for other in window]
        for backward in taken:
            if one.event.owner not in backward.optimizers:
                backward.optimizers.append(one.event.owner)
        done.append(Step(one.event, one.place, one.at, taken))
    for placed in found:
        if placed.event.what is What.BACKWARD and not backwards[id(placed)].optimizers:
            raise Unclear("no optimizer steps with these gradients", placed.event.statement)
        if placed.event.what is What.CLIP:
            _clipped(placed, done, found).clips.append(placed.event)
    _nest(list(backwards.values()))
    for backward in backwards.values():
        _hand_over(backward, scope, recogniser)
    return Training(scope, list(backwards.values()), done, zeros, dropped)


def _events(scope: Scope, recogniser: Recogniser) -> Iterator[_Placed]:
    """The events of a scope in the order of the text."""
    found = []
    for place in places(scope):
        for at, statement in enumerate(place.body):
            event = recogniser.event(statement)
            if event is not None:
                found.append(_Placed(event, place, at))
    return iter(sorted(found, key=lambda one: one.event.statement.lineno))


def _refuse_what_reads_gradients(scope: Scope, recogniser: Recogniser) -> None:
    for node in own_nodes_of(scope):
        if (
            isinstance(node, ast.Attribute)
            and node.attr == "grad"
            and recogniser.api(node) != "torch.autograd.grad"
        ):
            raise Unclear("gradients are read by hand", node)


def own_nodes_of(scope: Scope) -> Iterator[ast.AST]:
    """What is in a scope, without the scopes in it."""
    for statement in scope.body:
        yield from own_nodes(statement)


# --- which gradients a step takes


def _window(step: _Placed, found: Sequence[_Placed]) -> list[_Placed]:
    """The `backward()` calls between the last `zero_grad()` and a step, in the order of the text."""
    loop = _loop_of(step.place)
    inside = [one for one in found if loop is None or _is_inside(one.place, loop)]
    at = inside.index(step)
    owner = step.event.owner
    zeroed = _zeroed_names(owner, found)
    # Backwards from the step; round the loop once, where there is one.
    before = list(reversed(inside[:at]))
    after = list(reversed(inside[at + 1 :])) if loop is not None else []
    window: list[_Placed] = []
    for number, one in enumerate((*before, *after)):
        if one.event.what is What.ZERO and one.event.owner in zeroed:
            is_round_the_loop = number >= len(before)
            if not _is_certain(one.place, step.place, is_round_the_loop):
                raise _Accumulates(
                    "gradients are cleared in some passes of the loop only", one.event.statement
                )
            break
        if one.event.what is What.BACKWARD:
            if number >= len(before):
                raise _Accumulates("gradients of several passes are added up", one.event.statement)
            window.append(one)
    else:
        outside = [one for one in found if one not in inside]
        if loop is not None or not any(one.event.owner in zeroed for one in outside):
            raise Unclear("the gradients are never cleared in this loop", step.event.statement)
    window.reverse()
    if not window:
        raise Unclear("no backward() stands before this step in its loop", step.event.statement)
    for one in window:
        if one.place is not step.place:
            raise _Accumulates("the step is not taken in the same block as backward()", one.event.statement)
    return window


def _first_of_sum(found: Sequence[_Placed], scope: Scope, unclear: Unclear) -> ast.stmt | None:
    """Where gradients are added up over passes of a loop: the loop before which there are none, or None where they are
    cleared before it. Raises `unclear` where that is not certain."""
    optimizers = {one.event.owner for one in found if one.event.what is What.STEP}
    backwards = [one for one in found if one.event.what is What.BACKWARD]
    zeros = [one for one in found if one.event.what is What.ZERO]
    if (
        len(optimizers) > 1
        or not zeros
        or {one.event.owner for one in zeros} - _zeroed_names(min(optimizers), found)
    ):
        raise unclear
    for one in backwards:
        for other in backwards:
            if one is not other and one.place is other.place:
                raise unclear  # their functions may lie in each other
    outermost = [
        statement
        for statement in scope.body
        if any(statement is node for one in backwards for node in _chain(one, scope))
    ]
    if len(outermost) != 1:
        raise unclear
    at = scope.body.index(outermost[0])
    if any(one.place.body is scope.body and one.at < at for one in zeros):
        return None
    makes_it = any(min(optimizers) in _targets(statement) for statement in scope.body[:at])
    if not makes_it:
        raise Unclear(
            "gradients of an earlier call may be left in the optimizer", backwards[0].event.statement
        )
    return outermost[0]


def _chain(placed: _Placed, scope: Scope) -> Iterator[ast.stmt]:
    """The statements around one, and itself."""
    yield placed.event.statement
    for one in (placed.place, *placed.place.ancestors()):
        if isinstance(one.owner, ast.stmt) and one.owner is not scope:
            yield one.owner


def _targets(statement: ast.stmt) -> set[str]:
    return (
        {ast.unparse(target) for target in statement.targets} if isinstance(statement, ast.Assign) else set()
    )


def _zeroed_names(optimizer: str, found: Sequence[_Placed]) -> set[str]:
    """What `zero_grad` is called on to clear the gradients of an optimizer: itself, or its network where that is the
    only one."""
    optimizers = {one.event.owner for one in found if one.event.what is What.STEP}
    others = {one.event.owner for one in found if one.event.what is What.ZERO} - optimizers
    if len(optimizers) == 1 and len(others) <= 1:
        return {optimizer, *others}
    return {optimizer, *(name for name in others if _suffix(name) and _suffix(name) == _suffix(optimizer))}


def _suffix(name: str) -> str:
    """What sets apart the names of a network and of its optimizer: netD, optimizerD, optimizer_D, opt_d."""
    bare = name.rpartition(".")[2].lower()
    for start in ("optimizer", "optim", "opt", "net", "model"):
        if bare.startswith(start):
            return bare.removeprefix(start).strip("_")
    return bare.strip("_")


def _loop_of(place: Place) -> Place | None:
    """The body of the innermost loop around a statement."""
    for one in (place, *place.ancestors()):
        if one.is_loop_body:
            return one
    return None


def _is_inside(place: Place, outer: Place) -> bool:
    return place is outer or any(one is outer for one in place.ancestors())


def _is_certain(zero: Place, step: Place, is_round_the_loop: bool) -> bool:
    """Whether the gradients are cleared whenever the step is reached."""
    if zero is step:
        return True
    return not is_round_the_loop and _is_inside(step, zero)


def _clipped(clip: _Placed, steps: Sequence[Step], found: Sequence[_Placed]) -> Step:
    """The step that takes the gradients which are limited."""
    place, at = clip.place, clip.at
    while isinstance(place.owner, ast.If) and place.outer is not None:
        if any(step.place is place for step in steps):
            break
        place, at = place.outer, place.at
    following = [step for step in steps if step.place is place and step.at > at]
    if not following:
        raise Unclear("gradients are limited in another block than the step", clip.event.statement)
    step = following[0]
    if any(len(backward.optimizers) > 1 for backward in step.backwards):
        raise Unclear("gradients that two optimizers take are limited", clip.event.statement)
    if any(backward.at > at for backward in step.backwards):
        raise Unclear("gradients are limited before all of them are there", clip.event.statement)
    networks = {one.event.owner for one in found if one.event.what is What.CLIP}
    optimizers = {one.event.owner for one in steps}
    if len(networks) > 1 and len(optimizers) < len(networks):
        raise Unclear("not all gradients of the optimizer are limited together", clip.event.statement)
    if len(optimizers) > 1 and _suffix(clip.event.owner) != _suffix(step.event.owner):
        raise Unclear("which optimizer's gradients are limited is not certain", clip.event.statement)
    return step


# --- which statements compute the loss


def _region(placed: _Placed, scope: Scope, recogniser: Recogniser) -> Backward:
    """The function that a `backward()` needs: from the first statement that may depend on parameters and reaches the
    loss."""
    place, at, event = placed.place, placed.at, placed.event
    assert event.loss is not None
    data = _data_before(place, scope, recogniser)
    is_data: list[bool] = []
    for statement in place.body[:at]:
        is_data.append(data.take(statement))
        if isinstance(statement, ast.With) and _cuts_gradients(statement, recogniser):
            for name in written(statement):
                data.names.add(name)
            is_data[-1] = True
    needed = set(read_with_gradient(event.loss))
    start = at
    slice_of_loss = {at}
    calls: list[ast.AST] = [event.loss]
    for number in range(at - 1, -1, -1):
        statement = place.body[number]
        writes = written(statement)
        changed = _changed_in_place(statement)
        if not needed & (writes | changed) or is_data[number]:
            continue
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        if number < at and _is_configuration(statement, recogniser):
            continue
        calls.append(statement)
        slice_of_loss.add(number)
        start = number
        if not isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            needed -= {name for name in writes if name not in read_with_gradient(statement)}
        needed |= read_with_gradient(statement)
    _refuse_loss_from_outside(needed, place, start, scope, recogniser, event)
    if not any(calls_a_network(node, data, recogniser) for node in calls):
        raise Unclear("no network is called in the block that calls backward()", event.statement)
    own = [place.body[number] for number in sorted(slice_of_loss)]
    passed = frozenset(_arguments(scope)) if isinstance(scope, ast.FunctionDef) else frozenset[str]()
    refuse_kept_graphs(own, passed, data, recogniser)
    arguments = _unknown_arguments(needed, place, start, at, scope, data)
    return Backward(event, place, at, start, frozenset(slice_of_loss), arguments)


def _data_before(place: Place, scope: Scope, recogniser: Recogniser) -> DataOnly:
    """What is known to be data where a statement list begins."""

    constants = (
        recogniser.constants - _arguments(scope) if isinstance(scope, ast.FunctionDef) else frozenset()
    )
    data = DataOnly(recogniser, constants)
    chain = [place, *place.ancestors()]
    for one in reversed(chain):
        if isinstance(one.owner, (ast.For, ast.AsyncFor)) and one.is_loop_body:
            data.bind(one.owner.target)
        inner = chain[chain.index(one) - 1] if one is not place else None
        if inner is not None:
            for statement in one.body[: inner.at]:
                data.take(statement)
    return data


def _cuts_gradients(statement: ast.With, recogniser: Recogniser) -> bool:
    names = [
        recogniser.api(
            item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
        )
        for item in statement.items
    ]
    return all(name in ("torch.no_grad", "torch.inference_mode") for name in names)


def _changed_in_place(statement: ast.stmt) -> Names:
    """Names whose values a call may change: `label.fill_(1)`, `outputs.append(y)`, `losses['a'] = b`."""
    found = set()
    for node in own_nodes(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and _changes(node.func.attr):
                found.add(node.func.value.id)
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            inner: ast.expr = node
            while isinstance(inner, (ast.Subscript, ast.Attribute)):
                inner = inner.value
            if isinstance(inner, ast.Name):
                found.add(inner.id)
    return frozenset(found)


def _changes(method: str) -> bool:
    is_in_place = method.endswith("_") and not method.endswith("__")
    return is_in_place or method in ("append", "extend", "update", "add", "insert", "setdefault")


def _is_configuration(statement: ast.stmt, recogniser: Recogniser) -> bool:
    """Whether a statement only makes layers, criteria or optimizers, as before a loop."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call):
        return False
    api = recogniser.api(value.func)
    return (
        api.startswith(("torch.nn.", "torch.optim.")) and ".functional." not in api and ".Module." not in api
    )


def _refuse_loss_from_outside(
    needed: set[str], place: Place, start: int, scope: Scope, recogniser: Recogniser, event: Event
) -> None:
    """Raise where the loss depends on something that the same pass computed outside the block."""
    values = {
        name
        for statement in place.body[start : place.body.index(event.statement) + 1]
        for name in names_as_values(statement)
    } & needed
    inner = place
    while inner.outer is not None and not inner.is_loop_body:
        outer = inner.outer
        data = _data_before(outer, scope, recogniser)
        for statement in outer.body[: inner.at]:
            is_data = data.take(statement)
            if is_data or _is_configuration(statement, recogniser):
                continue
            found = values & (written(statement) - data.names)
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
                continue
            if found and not _is_before_training(outer):
                reason = f"the loss depends on `{min(found)}`, which is computed outside of the block with backward()"
                raise Unclear(reason, event.statement)
        inner = outer


def _unknown_arguments(
    needed: Collection[str], place: Place, start: int, at: int, scope: Scope, data: DataOnly
) -> Names:
    """Arguments of a function that the loss depends on. In a loop they hold no graph: it would be used twice."""
    if not isinstance(scope, ast.FunctionDef) or _loop_of(place) is not None:
        return frozenset()
    values = {name for statement in place.body[start : at + 1] for name in names_as_values(statement)}
    return frozenset(values & set(needed) & _arguments(scope) - data.names - SETTINGS)


def _arguments(scope: ast.FunctionDef) -> set[str]:
    every = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
    return {one.arg for one in every}


def _is_before_training(place: Place) -> bool:
    """Whether a list of statements is not repeated: what it computes is set up once."""
    return _loop_of(place) is None and isinstance(place.owner, ast.Module)


# --- functions inside each other


def _nest(backwards: list[Backward]) -> None:
    """Make every two functions disjoint or one inside the other."""
    for _ in range(len(backwards)):
        is_changed = False
        for one in backwards:
            for other in backwards:
                if one.place is other.place and other.start < one.start <= other.at < one.at:
                    one.start, is_changed = other.start, True
        if not is_changed:
            break
    for one in backwards:
        for other in backwards:
            if one is not other:
                _refuse_shared(one, other)


def _refuse_shared(outer: Backward, inner: Backward) -> None:
    """Raise where both losses need the same statement: its graph would be used twice, and what a function hands out has
    none. Says nothing where `inner` is not inside of `outer`."""
    if outer.place is inner.place:
        own = range(inner.start, inner.at + 1)
    else:
        within = next((one for one in inner.place.ancestors() if one.outer is outer.place), inner.place)
        if within.outer is not outer.place:
            return
        own = range(within.at, within.at + 1)
    if own[-1] > outer.at or own[0] < outer.start:
        return
    shared = [number for number in sorted(outer.needed) if number in own]
    if shared:
        names = sorted(written(outer.place.body[shared[0]]))
        raise Unclear(f"two losses share the graph of `{', '.join(names)}`", inner.event.statement)


# --- names that go in and out


def _hand_over(backward: Backward, scope: Scope, recogniser: Recogniser) -> None:
    statements = backward.statements
    assigned: set[str] = set()
    for statement in statements:
        assigned |= written(statement)
        _refuse_control_flow(statement)
    for node in own_nodes_of(scope):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and assigned.intersection(node.names):
            raise Unclear("the loss is computed with global names", node)
    flow = Reads(statements)
    backward.handed_in = frozenset(flow.exposed & assigned)
    inside = {id(node) for statement in statements for node in ast.walk(statement)}
    shared = assigned & _read_elsewhere(scope, inside)
    if shared:
        reason = f"`{min(shared)}` is written while the loss is computed, and other functions read it"
        raise Unclear(reason, backward.event.statement)
    out = assigned & backward.place.live_after(backward.at)
    unsure = out - flow.assigned - backward.handed_in
    # What is written in some cases only keeps its old value in the others.
    backward.handed_in |= unsure
    missing = backward.handed_in - _bound_before(backward.place, backward.start, scope)
    if missing:
        raise Unclear(
            f"`{min(missing)}` may have no value before the loss is computed", backward.event.statement
        )
    loss = backward.event.loss
    name = loss.id if isinstance(loss, ast.Name) else ""
    order = sorted(out - {name}, key=lambda one: _first_written(statements, one))
    backward.handed_out = tuple(order)
    backward.tensors = frozenset(_sure_tensors(statements, recogniser))


def _refuse_control_flow(statement: ast.stmt) -> None:
    if leaves_loop(statement):
        raise Unclear("`break` or `continue` stands between the loss and backward()", statement)
    for node in own_nodes(statement):
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncWith, ast.AsyncFor)):
            raise Unclear("the function is left between the loss and backward()", node)
        if isinstance(node, _UNUSUAL):
            raise Unclear("a `match` stands between the loss and backward()", node)
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if called in ("locals", "vars", "exec", "eval"):
            raise Unclear("local names are read by a built-in function", node)
        if called == "super" and isinstance(node, ast.Call) and not node.args:
            raise Unclear("super() is called between the loss and backward()", node)


def _read_elsewhere(scope: Scope, inside: Collection[int]) -> Names:
    """Names of the scope that functions in it read or write, but for the functions made by the nodes `inside`: they may
    be called at any time."""
    found: set[str] = set()
    for node in own_nodes_of(scope):
        if id(node) not in inside:
            found |= taken_from_outside(node)
    return frozenset(found)


def _bound_before(place: Place, start: int, scope: Scope) -> Names:
    """Names that surely have a value where a statement is reached."""
    found = set(Reads(place.body[:start]).assigned)
    inner = place
    while True:
        if isinstance(inner.owner, (ast.For, ast.AsyncFor)) and inner.is_loop_body:
            found |= written(inner.owner.target)
        if isinstance(inner.owner, ast.With):
            for item in inner.owner.items:
                found |= written(item)
        if inner.outer is None:
            break
        found |= Reads(inner.outer.body[: inner.at]).assigned
        inner = inner.outer
    if isinstance(scope, ast.FunctionDef):
        found |= _arguments(scope)
    return frozenset(found)


def _first_written(statements: Sequence[ast.stmt], name: str) -> int:
    return next(number for number, one in enumerate(statements) if name in written(one))


def _sure_tensors(statements: Sequence[ast.stmt], recogniser: Recogniser) -> Iterator[str]:
    """Names that hold tensors: what a network or a torch function returns."""
    for statement in statements:
        for one in ast.walk(statement):
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and not _is_number(one.value):
                yield from (name for target in one.targets for name in written(target))


def _is_number(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return name in (
        "item",
        "int",
        "float",
        "len",
        "time",
        "size",
        "tolist",
        "sum",
        "max",
        "min",
        "str",
        "round",
        "now",
    )
