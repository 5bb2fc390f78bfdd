"""What each kind of expression is worth."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.semantics.flow import attributes, comparisons, functions, items, iteration, operators
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.names import mangled
from mindport.semantics.flow.objects import Namespace, Sequence, Suspended, Table
from mindport.semantics.flow.paths import either
from mindport.semantics.flow.values import (
    OUTSIDE,
    UNKNOWN,
    Arguments,
    Dotted,
    Ref,
    Super,
    is_plain,
)

if TYPE_CHECKING:
    from mindport.semantics.flow.machine import Machine

Evaluate = Callable[["Machine", Frame, Any], Any]


def _constant(m: Machine, frame: Frame, node: ast.Constant) -> Any:
    return node.value


def _name(m: Machine, frame: Frame, node: ast.Name) -> Any:
    return m.name(frame, mangled(m, frame, node.id))


def _attribute(m: Machine, frame: Frame, node: ast.Attribute) -> Any:
    return attributes.attribute(m, m.evaluate(frame, node.value), mangled(m, frame, node.attr))


def _spread(m: Machine, frame: Frame, nodes: list[ast.expr], around: list[Any]) -> list[Any] | None:
    """The values of items, some of which may have stars; None where a star is not known. Then `around` has them all,
    with any item of such a star for those that it has."""
    found: list[Any] = []
    is_known = True
    for one in nodes:
        value = m.evaluate(frame, one.value if isinstance(one, ast.Starred) else one)
        more = m.items_of(value) if isinstance(one, ast.Starred) else [value]
        is_known = is_known and more is not None
        found += [iteration.any_item(m, value)] if more is None else more
    if is_known:
        return found
    m.heap.escape(found)
    around += found
    return None


def _list(m: Machine, frame: Frame, node: ast.List) -> Any:
    around: list[Any] = []
    found = _spread(m, frame, node.elts, around)
    return m.new(Sequence(found, each=m.heap.one_of(around)))


def _tuple(m: Machine, frame: Frame, node: ast.Tuple) -> Any:
    around: list[Any] = []
    found = _spread(m, frame, node.elts, around)
    return m.domain.group(m.heap.one_of(around)) if found is None else tuple(found)


def _set(m: Machine, frame: Frame, node: ast.Set) -> Any:
    return m.set_of(_spread(m, frame, node.elts, []))


def _dict(m: Machine, frame: Frame, node: ast.Dict) -> Any:
    table = m.new(Table({}))
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            m.update(table, m.evaluate(frame, value))
        else:
            name = m.evaluate(frame, key)
            items.set_item(m, table, name, m.evaluate(frame, value))
    return table


def _binary(m: Machine, frame: Frame, node: ast.BinOp) -> Any:
    left = m.evaluate(frame, node.left)
    return m.operate(operators.BINARY[type(node.op)], left, m.evaluate(frame, node.right))


def _unary(m: Machine, frame: Frame, node: ast.UnaryOp) -> Any:
    return operators.unary(m, node.op, m.evaluate(frame, node.operand))


def _compare(m: Machine, frame: Frame, node: ast.Compare) -> Any:
    left = m.evaluate(frame, node.left)
    return _chain(m, frame, left, list(zip(node.ops, node.comparators, strict=True)))


def _chain(m: Machine, frame: Frame, left: Any, rest: list[tuple[ast.cmpop, ast.expr]]) -> Any:
    (sign, node), rest = rest[0], rest[1:]
    right = m.evaluate(frame, node)
    value = comparisons.compare(m, sign, left, right)
    if not rest:
        return value
    test = m.truth(value)
    if test is None:
        return either(m, (lambda: value, lambda: _chain(m, frame, right, rest)))
    return _chain(m, frame, right, rest) if test else value


def _boolean(m: Machine, frame: Frame, node: ast.BoolOp) -> Any:
    return _operands(m, frame, node.values, stops=isinstance(node.op, ast.Or))


def _operands(m: Machine, frame: Frame, nodes: list[ast.expr], stops: bool) -> Any:
    """The value of `and` or `or`: the first operand whose truth `stops`, or the last one."""
    value = m.evaluate(frame, nodes[0])
    if len(nodes) == 1:
        return value
    test = m.truth(value)
    if test is stops:
        return value
    if test is None:
        # Where it stops here its truth is known, though the value is not.
        rest: list[Any] = []

        def go_on() -> Any:
            rest.append(_operands(m, frame, nodes[1:], stops))
            return rest[0]

        either_of_them = either(m, (lambda: value, go_on))
        return m.domain.decided((value, *rest), either_of_them)
    return _operands(m, frame, nodes[1:], stops)


def _if(m: Machine, frame: Frame, node: ast.IfExp) -> Any:
    test = m.evaluate(frame, node.test)
    is_true = m.truth(test)
    if is_true is None:
        value = either(m, (lambda: m.evaluate(frame, node.body), lambda: m.evaluate(frame, node.orelse)))
        return m.domain.chosen(test, value)
    return m.evaluate(frame, node.body if is_true else node.orelse)


def _subscript(m: Machine, frame: Frame, node: ast.Subscript) -> Any:
    owner = m.evaluate(frame, node.value)
    return items.item(m, owner, m.evaluate(frame, node.slice), node)


def _slice(m: Machine, frame: Frame, node: ast.Slice) -> Any:
    ends = (None if one is None else m.evaluate(frame, one) for one in (node.lower, node.upper, node.step))
    return slice(*ends)


def _lambda(m: Machine, frame: Frame, node: ast.Lambda) -> Any:
    return functions.made(m, frame, node)


def _walrus(m: Machine, frame: Frame, node: ast.NamedExpr) -> Any:
    value = m.evaluate(frame, node.value)
    m.bind(m.frame_outside_comprehensions(frame), node.target.id, value)
    return value


def _format(m: Machine, frame: Frame, node: ast.JoinedStr) -> Any:
    parts = [m.evaluate(frame, one) for one in node.values]
    return "".join(parts) if all(isinstance(one, str) for one in parts) else OUTSIDE


def _formatted(m: Machine, frame: Frame, node: ast.FormattedValue) -> Any:
    value = m.evaluate(frame, node.value)
    form = "" if node.format_spec is None else m.evaluate(frame, node.format_spec)
    conversion = {115: "str", 114: "repr", 97: "ascii"}.get(node.conversion)
    own = m.class_member(value, "__format__") if conversion is None else None
    if own is not None:
        return m.call(own, Arguments((form,)))
    if conversion is None and form and not is_plain(value):
        return OUTSIDE
    if conversion is not None or not is_plain(value):
        value = m.call(Dotted(f"builtins.{conversion or 'str'}"), Arguments((value,)))
    return m.applied(format, value, form) if is_plain(value) and isinstance(form, str) else OUTSIDE


def _call(m: Machine, frame: Frame, node: ast.Call) -> Any:
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _super(m, frame)
    callee = m.evaluate(frame, node.func)
    return m.call(callee, arguments(m, frame, node), node=node, frame=frame)


def _super(m: Machine, frame: Frame) -> Any:
    """`super()` without arguments: of the class that the method stands in, for its first parameter."""
    outside = m.frame_outside_comprehensions(frame)
    function = outside.function
    given = [*function.args.posonlyargs, *function.args.args] if function is not None else []
    if outside.owner is None or not given:
        return UNKNOWN
    receiver = m.name(frame, given[0].arg)
    return Super(outside.owner, receiver) if isinstance(receiver, Ref) else UNKNOWN


def arguments(m: Machine, frame: Frame, node: ast.Call) -> Arguments:
    """What a call passes."""
    around: list[Any] = []
    positional = _spread(m, frame, node.args, around)
    keywords: dict[str, Any] = {}
    is_open = positional is None
    for keyword in node.keywords:
        value = m.evaluate(frame, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        more = m.table_of(value)
        if more is None or any(not isinstance(name, str) for name in more):
            m.heap.escape((value,))
            is_open = True
        else:
            keywords |= more
    return Arguments(tuple(positional or ()), keywords, is_open, tuple(around))


def _comprehension(m: Machine, frame: Frame, node: ast.ListComp | ast.SetComp | ast.DictComp) -> Any:
    """A comprehension runs in names of its own, but for what its first loop goes over."""
    kind = Table({}) if isinstance(node, ast.DictComp) else Sequence([])
    made = m.new(kind)
    inner = _inner(m, frame)

    def add() -> None:
        if isinstance(node, ast.DictComp):
            key = m.evaluate(inner, node.key)
            items.set_item(m, made, key, m.evaluate(inner, node.value))
        else:
            m.append(made, m.evaluate(inner, node.elt))

    source = m.evaluate(frame, node.generators[0].iter)
    outer, m.frame = m.frame, inner
    try:
        _generators(m, inner, node.generators, source, add)
    finally:
        m.frame = outer
    if isinstance(node, ast.SetComp):
        return m.set_of(m.heap.read(made).items)
    return made


def _inner(m: Machine, frame: Frame) -> Frame:
    frame.is_captured = True
    names = m.new(Namespace(frame.path, frame.closure))
    inner = Frame(frame.path, names, frame.module)
    inner.owner, inner.function = frame.owner, frame.function
    m.comprehensions[names] = frame
    return inner


def _generators(
    m: Machine, frame: Frame, generators: list[ast.comprehension], source: Any, add: Callable[[], None]
) -> None:
    first, rest = generators[0], generators[1:]

    def body(item: Any) -> None:
        m.assign(frame, first.target, item, first.iter)
        _tested(m, frame, first.ifs, inside)

    def inside() -> None:
        if rest:
            _generators(m, frame, rest, m.evaluate(frame, rest[0].iter), add)
        else:
            add()

    if first.is_async:
        m.lose((source,))
        source = UNKNOWN
    iteration.iterate(m, source, body)


def _tested(m: Machine, frame: Frame, tests: list[ast.expr], inside: Callable[[], None]) -> None:
    if not tests:
        inside()
        return
    test = m.truth(m.evaluate(frame, tests[0]))
    if test is None:
        either(m, (lambda: None, lambda: _tested(m, frame, tests[1:], inside)))
    elif test:
        _tested(m, frame, tests[1:], inside)


def _generator(m: Machine, frame: Frame, node: ast.GeneratorExp) -> Any:
    """A generator expression asks for its first source at once and runs when somebody asks it."""
    inner = _inner(m, frame)
    source = m.evaluate(frame, node.generators[0].iter)

    def code(give: Callable[[Any], Any]) -> None:
        outer, m.frame = m.frame, inner
        try:
            _generators(m, inner, node.generators, source, lambda: give(m.evaluate(inner, node.elt)))
        finally:
            m.frame = outer

    m.heap.write(inner.names).names[".0"] = source
    made = m.new(Suspended(code, inner.names))
    m.domain.defined(m, made)
    return made


def _yield(m: Machine, frame: Frame, node: ast.Yield) -> Any:
    value = None if node.value is None else m.evaluate(frame, node.value)
    if frame.when_yielded is None:
        return UNKNOWN
    return frame.when_yielded(value)


def _yield_from(m: Machine, frame: Frame, node: ast.YieldFrom) -> Any:
    source = m.evaluate(frame, node.value)
    give = frame.when_yielded
    if give is None:
        return UNKNOWN
    thing = m.heap.read(source) if isinstance(source, Ref) else None
    if isinstance(thing, Suspended) and isinstance(thing.code, Ref):
        return m.run_suspended(source, give)
    iteration.iterate(m, source, lambda item: give(item) and None)
    return None


def _await(m: Machine, frame: Frame, node: ast.Await) -> Any:
    return m.awaited(m.evaluate(frame, node.value))


def _starred(m: Machine, frame: Frame, node: ast.Starred) -> Any:
    found = m.items_of(m.evaluate(frame, node.value))
    return UNKNOWN if found is None else tuple(found)


EXPRESSIONS: dict[type[ast.expr], Evaluate] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.IfExp: _if,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.JoinedStr: _format,
    ast.FormattedValue: _formatted,
    ast.Call: _call,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _generator,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Await: _await,
    ast.Starred: _starred,
}
# Values that are not known because of what is in them may fail where they are made.
MAY_FAIL = (ast.Name, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Await)
