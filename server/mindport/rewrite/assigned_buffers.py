"""Buffers that get another tensor, `self.queue = F.normalize(self.queue)`: a Cell takes none by assignment, but one
that is registered again."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator

from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.semantics.flow.operators import BINARY
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_SHIFTS = (ast.LShift, ast.RShift)
_OPERATORS = {kind: one.sign for kind, one in BINARY.items() if kind not in _SHIFTS}
_SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)


def with_registered_buffers(before: str, text: str) -> str:
    """A text converted from `before` whose classes register their buffers again where they got other tensors. The same
    text where there are none, or where it does not parse."""
    if "register_buffer" not in text or not imports_torch(before):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    edits: dict[int, tuple[TextEdit, ...]] = {}
    known: dict[str, dict[str, str]] = {}
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef):
            buffers: dict[str, str] = {}
            for base in node.bases:
                buffers |= known.get(ast.unparse(base), {})
            inherited = set(buffers)
            buffers |= _registered(node)
            known[node.name] = buffers
            parts, instead = _parts(node), _instead_of_buffers(node, inherited) if buffers else set()
            for statement, holder, operator in _assignments(node):
                owner, name = ast.unparse(holder), _target(statement).attr
                of_owner = buffers if owner == "self" else known.get(parts.get(owner, ""), {})
                if name in of_owner and id(statement) not in instead:
                    start = start_of(statement, lines)
                    edits[start] = _written(lines.text, statement, lines, owner, operator, of_owner[name])
            for several in _unpacked(node, buffers):
                if id(several) in instead:
                    continue
                edits[start_of(several, lines)] = (_written_apart(several, node, buffers, lines),)
    networks = _networks(tree, known)
    for statement, holder, operator in _assignments(tree) if networks else ():
        of_owner = (
            known[networks[holder.id]] if isinstance(holder, ast.Name) and holder.id in networks else {}
        )
        name = _target(statement).attr
        if name in of_owner:
            written = _written(lines.text, statement, lines, ast.unparse(holder), operator, of_owner[name])
            edits[start_of(statement, lines)] = written
    for statement, holder, operator, behind in _of_others(tree, known):
        written = _written(lines.text, statement, lines, ast.unparse(holder), operator, behind)
        edits.setdefault(start_of(statement, lines), written)
    for pair in edits.values():
        yield from pair


def _registered(network: ast.ClassDef) -> dict[str, str]:
    """The buffers that a class registers, each with what stands behind the tensor."""
    found: dict[str, str] = {}
    for node in every_node(network):
        match node:
            case ast.Call(args=[_, *rest], keywords=keywords) if name := _registered_name(node):
                persistent = rest[1:] + [one.value for one in keywords if one.arg == "persistent"]
                found[name] = "".join(f", persistent={ast.unparse(one)}" for one in persistent)
    return found


def _registered_name(node: ast.AST) -> str:
    """The buffer that a call registers, or nothing."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="self"), attr="register_buffer"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            return name
    return ""


def _instead_of_buffers(network: ast.ClassDef, inherited: Collection[str]) -> set[int]:
    """The statements that give attributes values where no buffer is: all that the class registers by these names is in
    other arms of the same tests, `if torch.is_tensor(b): self.register_buffer("b", b)`, `else: self.b = b`, or comes
    behind them in `__init__`, where torch refuses to register what has a value. `inherited` are those that may be there
    already."""
    made = {id(one) for function in _constructors(network) for one in every_node(function)}
    places: dict[str, list[tuple[ast.AST, dict[int, int]]]] = {}
    assigned: list[tuple[ast.Assign | ast.AugAssign, dict[int, int]]] = []
    for node, arms in _with_arms(network, {}):
        if name := _registered_name(node):
            places.setdefault(name, []).append((node, arms))
        elif isinstance(node, ast.Assign | ast.AugAssign):
            assigned.append((node, arms))
    return {
        id(statement)
        for statement, arms in assigned
        if (names := [name for name in _names_of_self(statement) if name in places])
        and not any(name in inherited for name in names)
        and all(
            _exclude(arms, other) or ({id(statement), id(place)} <= made and _is_before(statement, place))
            for name in names
            for place, other in places[name]
        )
    }


def _constructors(network: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    yield from (one for one in network.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")


def _is_before(statement: ast.stmt, place: ast.AST) -> bool:
    return isinstance(place, ast.expr) and (statement.lineno, statement.col_offset) < (
        place.lineno,
        place.col_offset,
    )


def _with_arms(part: ast.AST, arms: dict[int, int]) -> Iterator[tuple[ast.AST, dict[int, int]]]:
    """All that is in a part, each with the tests whose arms it is in, and with which arm that is."""
    yield part, arms
    for child in ast.iter_child_nodes(part):
        inside = arms
        if isinstance(part, ast.If) and child is not part.test:
            inside = arms | {id(part): int(child in part.orelse)}
        elif isinstance(part, ast.Match) and isinstance(child, ast.match_case):
            inside = arms | {id(part): part.cases.index(child)}
        yield from _with_arms(child, inside)


def _exclude(arms: dict[int, int], other: dict[int, int]) -> bool:
    return any(other.get(test, arm) != arm for test, arm in arms.items())


def _names_of_self(statement: ast.Assign | ast.AugAssign) -> list[str]:
    """The attributes of `self` that a statement gives values to."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    several = [one for target in targets for one in getattr(target, "elts", [target])]
    return [name for one in several if (name := _of_self(one))]


def _parts(network: ast.ClassDef) -> dict[str, str]:
    """The attributes of `self` that a class makes of others, `self.decoder = Decoder(3)`, each with the name of its
    class."""
    return {
        f"self.{name}": made
        for node in every_node(network)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if (name := _of_self(target)) and isinstance(node.value, ast.Call)
        if (made := ast.unparse(node.value.func))
    }


def _of_self(node: ast.expr) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
    return ""


def _networks(tree: ast.Module, classes: Collection[str]) -> dict[str, str]:
    """The names that are bound to what one of these classes makes, and to nothing else in the file."""
    made: dict[str, str] = {}
    places: Counter[str] = Counter()
    for node in every_node(tree) if any(classes) else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind))):
                places[name] += kind in classes and made.setdefault(name, kind) == kind
    for node in every_node(tree) if made else ():
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                places[name] -= 1
    return {name: kind for name, kind in made.items() if not places[name]}


def _assignments(part: ast.AST) -> Iterator[tuple[ast.Assign | ast.AugAssign, ast.expr, str]]:
    """The statements that give an attribute a value, what has the attribute, and the operator between it and the
    value."""
    for node in every_node(part):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=owner)]):
                operator = ""
            case ast.AugAssign(target=ast.Attribute(value=owner), op=op) if type(op) in _OPERATORS:
                operator = _OPERATORS[type(op)]
            case _:
                continue
        yield node, owner, operator


def _of_others(
    tree: ast.Module, known: dict[str, dict[str, str]]
) -> Iterator[tuple[ast.Assign | ast.AugAssign, ast.expr, str, str]]:
    """The statements that make another tensor of what they give it to, `block.attn.bias = block.attn.bias[:n]`, where
    a class of the file registers one of that name: torch refuses a tensor in a parameter's place. Those of what is
    asked for such a class, too: `if isinstance(m, Detect): m.anchors /= m.stride`. With the operator, and what stands
    behind the tensor."""
    buffers = {name: behind for of_class in known.values() for name, behind in of_class.items()}
    asked = _asked(tree, known) if buffers else {}
    for statement, holder, operator in _assignments(tree) if buffers else ():
        own, owner = ast.unparse(_target(statement)), ast.unparse(holder)
        name = _target(statement).attr
        if owner != "self" and name in buffers and _reads(statement.value, own):
            yield statement, holder, operator, buffers[name]
        elif name in (of_asked := asked.get(id(statement), {}).get(owner, {})):
            yield statement, holder, operator, of_asked[name]


def _asked(tree: ast.Module, known: dict[str, dict[str, str]]) -> dict[int, dict[str, dict[str, str]]]:
    """By the statements in what a test guards, the buffers of what it asks for its class, `isinstance(m, Detect)`."""
    found: dict[int, dict[str, dict[str, str]]] = {}
    for node in every_node(tree):
        match node:
            case ast.If(test=ast.Call(func=ast.Name(id="isinstance"), args=[owner, kinds])):
                pass
            case ast.If(
                test=ast.Compare(
                    left=ast.Call(func=ast.Name(id="type"), args=[owner]),
                    ops=[ast.In() | ast.Is() | ast.Eq()],
                    comparators=[kinds],
                )
            ):
                pass
            case _:
                continue
        classes = kinds.elts if isinstance(kinds, (ast.Tuple, ast.List, ast.Set)) else [kinds]
        buffers = {name: text for one in classes for name, text in known.get(ast.unparse(one), {}).items()}
        for inside in (inner for one in node.body for inner in every_node(one)) if buffers else ():
            found.setdefault(id(inside), {})[ast.unparse(owner)] = buffers
    return found


def _reads(value: ast.expr, attribute: str) -> bool:
    """Whether a value is made from an attribute by an index or a method: a part of it, or another kind of it."""
    match value:
        case ast.Subscript(value=of) | ast.Call(func=ast.Attribute(value=of)):
            return ast.unparse(of) == attribute or _reads(of, attribute)
    return False


def _target(statement: ast.Assign | ast.AugAssign) -> ast.Attribute:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    assert isinstance(target, ast.Attribute)
    return target


def _written(
    text: str, statement: ast.Assign | ast.AugAssign, lines: LineIndex, owner: str, operator: str, behind: str
) -> tuple[TextEdit, ...]:
    """The call in place of a statement; the value stays as it is written."""
    target = _target(statement)
    start, end = start_of(statement, lines), end_of(statement, lines)
    value = text.index("=", end_of(target, lines)) + 1
    value += len(text[value:end]) - len(text[value:end].lstrip())
    opening, closing = f'{owner}.register_buffer("{target.attr}", ', f"{behind})"
    if operator:
        is_simple = isinstance(statement.value, _SIMPLE)
        opening += f"{owner}.{target.attr} {operator} " + ("" if is_simple else "(")
        closing = ("" if is_simple else ")") + closing
    return TextEdit(start, value, opening), TextEdit(end, end, closing)


def _unpacked(network: ast.ClassDef, buffers: Collection[str]) -> Iterator[ast.Assign]:
    """The statements that give several attributes values at once, buffers among them: `self.cos, self.sin = f(n)`."""
    for node in every_node(network) if buffers else ():
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if any(
                _of_self(one) in buffers for one in parts
            ):
                if not any(isinstance(one, ast.Starred) for one in parts):
                    yield node


def _written_apart(
    statement: ast.Assign, network: ast.ClassDef, buffers: dict[str, str], lines: LineIndex
) -> TextEdit:
    """Such a statement as one for each attribute: of the values as they are written where none of them is another one's
    before, else by names of their own."""
    target, start, end = statement.targets[0], start_of(statement, lines), end_of(statement, lines)
    assert isinstance(target, ast.Tuple)
    before = lines.text[lines.line_start(statement.lineno) : start]
    between = "; " if before.strip() else "\n" + before
    values = statement.value.elts if isinstance(statement.value, ast.Tuple) else []
    names = [f"self.{_of_self(one)}" for one in target.elts if _of_self(one)]
    if len(values) == len(target.elts) and not any(
        name in ast.unparse(one) for name in names for one in values[1:]
    ):
        texts = [written_of(one, lines) for one in values]
        return TextEdit(start, end, between.join(map(_stored, target.elts, texts, [buffers] * len(texts))))
    taken = {one.id for one in every_node(network) if isinstance(one, ast.Name)}
    own = [
        f"{name}_" if (name := _of_self(one)) in taken else name if name in buffers else ast.unparse(one)
        for one in target.elts
    ]
    stored = [
        _stored(one, name, buffers)
        for one, name in zip(target.elts, own, strict=True)
        if _of_self(one) in buffers
    ]
    value = lines.text[start_of(statement.value, lines) : end]
    return TextEdit(start, end, between.join([f"{', '.join(own)} = {value}", *stored]))


def _stored(target: ast.expr, value: str, buffers: dict[str, str]) -> str:
    name = _of_self(target)
    if name not in buffers:
        return f"{ast.unparse(target)} = {value}"
    return f'self.register_buffer("{name}", {value}{buffers[name]})'
