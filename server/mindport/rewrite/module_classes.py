"""What a module class needs besides its renamed parts when it becomes a Cell.

A fresh Cell is in evaluation mode, a fresh torch module in training mode, and so are all layers inside it. A module
asks those inside it to switch by `train` of their own, where a Cell sets their flags. Weights have names of their own
in MindSpore; those of layers that come into a list later lack the name of the list, so that optimizers and checkpoints
confuse them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterable, Iterator

from mindport.model.language import say
from mindport.model.span import Position, Span
from mindport.model.verdict import Applicability
from mindport.rewrite.attributes_of_held import attributes_of_held
from mindport.rewrite.kept_arguments import kept_arguments
from mindport.rewrite.pieces import HelperName, ImportedName, Piece, Rewrite
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.api_use import ClassNames

_MODULES = ("torch.nn.", "torch.jit.ScriptModule")
_IN_TRAINING_MODE = "self.set_train()"
_FLAGS = ".add_flags_recursive(self, training=True)"
_WITHOUT_ITS_OWN = (ImportedName("mindspore.nn.Cell", "from mindspore import nn", "nn.Cell"), _FLAGS)
"""The same for a class whose own `set_train` does more, which torch does not call while it builds the class."""
_BUT_FOR_GIVEN = HelperName("torch_start_training")
"""The same for a class that may be given modules in evaluation mode, which torch leaves as they are."""
_SWITCHED = HelperName("torch_add_flags_recursive")
_WITH_FULL_NAMES = "self.update_parameters_name()"
_CONTAINERS = frozenset({"ModuleList", "ModuleDict", "Sequential", "ParameterList", "ParameterDict"})


def class_rewrites(text: str, rewrites: Iterable[Rewrite], classes: ClassNames) -> tuple[Rewrite, ...]:
    """For every class that `rewrites` make a Cell: `self.set_train()` at the end of `__init__`, with the names of the
    weights anew where containers are filled. `classes` says which ones are networks."""
    rewrites = tuple(rewrites)
    places = {one.span.start for one in rewrites if one.api.startswith(_MODULES)}
    if not places:
        return ()
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return ()
    lines = LineIndex(text)
    found: list[Rewrite] = []
    for node in _converted(tree, lines, places, classes.networks):
        found += attributes_of_held(node, lines)
        methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        own = [one for one in methods if one.name == "train" and _start(one, lines, len("def ")) in places]
        training: tuple[Piece, ...] = (_IN_TRAINING_MODE,)
        if node.name in classes.own_modes:
            training = _WITHOUT_ITS_OWN
        for method in own[-1:]:
            found += _switched(method, lines)
        for method in methods:
            if method.name == "__init__":
                kept = kept_arguments(method) if node.name in classes.given_evaluated else ()
                training = (_BUT_FOR_GIVEN, f"(self, {', '.join(kept)})") if kept else training
                found += _starting_state(method, training, _fills_containers(node), lines)
    return tuple(found)


def _named_bases(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _converted(
    tree: ast.Module, lines: LineIndex, places: Collection[Position], networks: Container[str]
) -> Iterator[ast.ClassDef]:
    """The classes with a base or a `forward` that is converted, the networks with anything that is, and those derived
    from them in the file."""
    converted: set[str] = set()
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        starts = [_start(base, lines) for base in node.bases]
        starts += [
            _start(method, lines, len("def "))
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name == "forward"
        ]
        has_converted = any(start in places for start in starts) or (
            node.name in networks
            and any(node.lineno < place.line <= (node.end_lineno or 0) for place in places)
        )
        if has_converted or _named_bases(node) & converted:
            converted.add(node.name)
            yield node


def _start(node: ast.expr | ast.FunctionDef, lines: LineIndex, behind: int = 0) -> Position:
    return Position(node.lineno, lines.column_of_byte(node.lineno, node.col_offset) + behind)


def _fills_containers(owner: ast.ClassDef) -> bool:
    """Whether a class adds layers by name, or makes an attribute an empty container, which is there to be filled."""
    for node in every_node(owner):
        match node:
            case ast.Call(func=ast.Attribute(attr="add_module" | "register_module")):
                return True
            case ast.Assign(targets=targets, value=value) if any(map(_is_own, targets)):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value) if _is_own(target):
                pass
            case _:
                continue
        if any(map(_is_empty_container, every_node(value))):
            return True
    return False


def _is_own(target: ast.expr) -> bool:
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"


def _is_empty_container(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    if ast.unparse(node.func).rpartition(".")[2] not in _CONTAINERS:
        return False
    return [ast.unparse(argument) for argument in node.args] in ([], ["[]"], ["{}"], ["()"])


def _starting_state(
    method: ast.FunctionDef, training: tuple[Piece, ...], is_named: bool, lines: LineIndex
) -> Iterator[Rewrite]:
    """Training mode, which the statement `training` sets, and, with `is_named`, the names of the weights, at the end of
    `__init__`. A mode that it chooses itself comes after the one to start with."""
    instance = method.args.args[0].arg if method.args.args else ""
    if instance != "self":
        return
    choosing = next((one for one in method.body if _chooses_mode(one)), None)
    if choosing is not None and (start := _before(method, choosing, training, lines)) is not None:
        yield start
    last = [] if choosing is not None else [training]
    if is_named:
        last.append((_WITH_FULL_NAMES,))
    if last and (ending := _ending(method, last, lines)) is not None:
        yield ending


def _chooses_mode(statement: ast.stmt) -> bool:
    """Whether the statement puts a module into a mode: `self.eval()`, `self.backbone.train(False)`."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (
            (node.func.attr == "eval" and not node.args)
            or (node.func.attr in ("train", "set_train") and not _is_set_at_start(node))
        )
        for node in every_node(statement)
    )


def _before(
    method: ast.FunctionDef, statement: ast.stmt, training: tuple[Piece, ...], lines: LineIndex
) -> Rewrite | None:
    earlier = method.body[: method.body.index(statement)]
    column = lines.column_of_byte(statement.lineno, statement.col_offset)
    indent = lines.line_text(statement.lineno)[:column]
    if indent.strip() or (earlier and _is_set_at_start(earlier[-1])):
        return None
    line = statement.lineno
    while lines.line_text(line - 1).lstrip().startswith("#"):
        line -= 1  # above the comment that belongs to the statement
    place = Span(line, 0, line, 0)
    return _starting(place, indent, *training, "\n")


def _starting(place: Span, *new: Piece) -> Rewrite:
    title = say("Start in training mode, as torch does")
    return Rewrite(place, new, Applicability.SAFE, title, "torch.nn.Module.training")


def _ending(method: ast.FunctionDef, statements: list[tuple[Piece, ...]], lines: LineIndex) -> Rewrite | None:
    last = method.body[-1]
    end_line = last.end_lineno or last.lineno
    column = lines.column_of_byte(end_line, last.end_col_offset or 0)
    if _is_set_at_start(last) or ast.unparse(last) == _WITH_FULL_NAMES:
        return None
    if last.lineno == method.lineno:
        between = "; "
    else:
        first = method.body[0]
        indent = lines.line_text(first.lineno)[: lines.column_of_byte(first.lineno, first.col_offset)]
        between = f"\n{indent}"
    comment = lines.line_text(end_line)[column:].rstrip("\r\n")
    if comment.strip() and last.lineno != method.lineno:
        if not comment.lstrip().startswith("#"):
            return None
        column += len(comment)  # behind the comment that belongs to the statement
    new = (piece for one in statements for piece in (between, *one))
    return _starting(Span(end_line, column, end_line, column), *new)


def _switched(method: ast.FunctionDef, lines: LineIndex) -> Iterator[Rewrite]:
    """Has cells that hold one of the class with this `train` call it."""
    line = min([method.lineno, *(one.lineno for one in method.decorator_list)])
    column = lines.column_of_byte(method.lineno, method.col_offset)
    indent = lines.line_text(method.lineno)[:column]
    if not indent.strip():
        place = Span(line, 0, line, 0)
        yield _starting(place, f"{indent}add_flags_recursive = ", _SWITCHED, "\n\n")


def _is_set_at_start(node: ast.AST) -> bool:
    text = ast.unparse(node)
    is_but_for_given = text.startswith(f"{_BUT_FOR_GIVEN.local}(self")
    return text == _IN_TRAINING_MODE or is_but_for_given or text.endswith(f"Cell{_FLAGS}")
