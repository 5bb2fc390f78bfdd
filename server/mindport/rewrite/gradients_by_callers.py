"""Lets callers take the gradient that a penalty is made of, where a function gets outputs of a network and its inputs:
`r1(out, x)` becomes `r1(torch.autograd.grad(out.sum(), x, create_graph=True)[0], x)`. MindSpore takes gradients of
functions, and it is the caller who knows the network, in whichever file of the project. The result is torch, still."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.rewrite.gradient_parameters import GRADIENT_PARAMETERS
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit
from mindport.source.call_arguments import written_argument
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import children, every_node
from mindport.source.written_names import last_name

_TORCH = re.compile(r"^import torch\r?$", re.MULTILINE)
_OTHER_TORCH = re.compile(r"\bas torch\b|^\s*torch\s*=", re.MULTILINE)


class _Taken(msgspec.Struct):
    """A function that assigns a gradient of its parameter `outputs` for its parameter `inputs`: where these stand among
    the arguments of a call, what they are called, the name of the gradient, whether it is one of a `sum` or `mean`, and
    the statements that go."""

    function: ast.FunctionDef
    outputs: tuple[int, str]
    inputs: tuple[int, str]
    gradient: str
    reduced: str
    statements: list[ast.stmt]


def gradients_by_callers(texts: Mapping[str, str]) -> dict[str, list[TextEdit]]:
    """The edits of the texts of a project, by their paths, that do so where every call of the function is seen; none
    where one of the texts with such a call does not parse."""
    edits: dict[str, list[TextEdit]] = {}
    trees = _Trees(texts)
    for definer, text in texts.items():
        if "create_graph" not in text or "torch" not in text:
            continue
        try:
            found = [one for taken in _takers(trees.of(definer)) for one in _edits(definer, taken, trees)]
        except RecursionError:  # nested too deeply to be analysed, as the findings say
            continue
        for path, some in found:
            known = edits.setdefault(path, [])
            known += [edit for edit in some if edit not in known]
    return edits


def _edits(definer: str, taken: _Taken, trees: _Trees) -> Iterator[tuple[str, list[TextEdit]]]:
    """The edits of the text with a function and of those that call it, by their paths."""
    for path, calls in _calls_in_all(definer, taken, trees).items():
        lines = LineIndex(trees.texts[path])
        inside = _in_function(taken, lines) if path == definer else ()
        brings = _bring_torch(trees.of(path), lines) if calls and not _TORCH.search(trees.texts[path]) else ()
        yield path, [*brings, *inside, *(edit for call in calls for edit in _in_call(call, taken, lines))]


class _Trees:
    """The trees of texts, each made once where it is asked for; None for what does not parse."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._made: dict[str, ast.Module | None] = {}

    def of(self, path: str) -> ast.Module | None:
        if path not in self._made:
            try:
                self._made[path] = parse_tree(self.texts[path])
            except SYNTAX_ERRORS:
                self._made[path] = None
        return self._made[path]


def _takers(tree: ast.Module | None) -> Iterator[_Taken]:
    functions = [node for node in every_node(tree) if isinstance(node, ast.FunctionDef)] if tree else []
    names = [one.name for one in functions]
    for one in functions:
        if names.count(one.name) == 1 and (taken := _taken(one)) is not None:
            yield taken


def _calls_in_all(definer: str, taken: _Taken, trees: _Trees) -> dict[str, list[ast.Call]]:
    """The calls of the function in each text; none where they are not all seen, or nobody calls it. A text with a
    function of the same name calls its own."""
    name = taken.function.name
    word = re.compile(rf"\b{re.escape(name)}\b")
    named = [path for path, text in trees.texts.items() if name in text and word.search(text)]
    owners = [path for path in named if f"def {name}(" in trees.texts[path]]
    callers = [path for path in named if path not in owners]
    if callers and len(owners) > 1:
        return {}
    found = {}
    for path in (definer, *callers):
        tree = trees.of(path)
        calls = _calls(tree, taken) if tree is not None else None
        if calls is None or (calls and _OTHER_TORCH.search(trees.texts[path])):
            return {}
        found[path] = calls
    return found if any(found.values()) else {}


def _taken(function: ast.FunctionDef) -> _Taken | None:
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or function.decorator_list:
        return None
    names = [one.arg for one in given.args]
    for statement in function.body:
        match statement:
            case (
                ast.Assign(
                    targets=[ast.Name(id=gradient)],
                    value=ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=0)),
                )
                | ast.Assign(
                    targets=[
                        ast.Tuple(elts=[ast.Name(id=gradient)]) | ast.List(elts=[ast.Name(id=gradient)])
                    ],
                    value=ast.Call() as call,
                )
            ) if ast.unparse(call.func) in ("torch.autograd.grad", "autograd.grad", "grad"):
                pass
            case _:
                continue
        passed = dict(zip(GRADIENT_PARAMETERS, call.args, strict=False))
        passed |= {keyword.arg or "**": keyword.value for keyword in call.keywords}
        outputs, reduced = _reduced(passed.get("outputs"))
        inputs = passed.get("inputs")
        keeps = passed.get("create_graph")
        if not (isinstance(outputs, ast.Name) and isinstance(inputs, ast.Name)) or "**" in passed:
            return None
        if not (isinstance(keeps, ast.Constant) and keeps.value is True) or gradient in names:
            return None
        if outputs.id not in names or inputs.id not in names:
            return None
        statements = [statement, *_ones(function, passed.get("grad_outputs"), outputs.id, reduced)]
        inside = {id(node) for one in statements for node in every_node(one)}
        others = [
            node for node in every_node(function) if isinstance(node, ast.Name) and id(node) not in inside
        ]
        is_changed = any(node.id == inputs.id and isinstance(node.ctx, ast.Store) for node in others)
        weights = passed.get("grad_outputs")
        is_left = (
            weights is not None
            and (reduced != "" or len(statements) == 1)
            and not _is_ones(weights, outputs.id)
        )
        if any(node.id == outputs.id for node in others) or is_changed or is_left:
            return None
        shift = 1 if names[0] in ("self", "cls") else 0
        of, by = ((names.index(one.id) - shift, one.id) for one in (outputs, inputs))
        return _Taken(function, of, by, gradient, reduced, statements)
    return None


def _reduced(node: ast.expr | None) -> tuple[ast.expr | None, str]:
    """What is reduced to one number, and by which method."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="sum" | "mean" as method), args=[], keywords=[]):
            return value, method
    return node, ""


def _ones(
    function: ast.FunctionDef, weights: ast.expr | None, outputs: str, reduced: str
) -> Iterator[ast.stmt]:
    """The statement that makes the ones which the gradients of the outputs are, where nothing else reads them."""
    if not isinstance(weights, ast.Name) or reduced:
        return
    uses = [node for node in every_node(function) if isinstance(node, ast.Name) and node.id == weights.id]
    for statement in function.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name == weights.id and len(uses) == 2 and _is_ones(value, outputs):
                    yield statement


def _is_ones(node: ast.expr, outputs: str) -> bool:
    """Whether an expression is `torch.ones_like(outputs)` or `torch.ones(outputs.size())`, wherever it lies."""
    if isinstance(node, ast.Constant):
        return node.value is None
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("to", "cuda")
    ):
        node = node.func.value
    if not isinstance(node, ast.Call) or not node.args:
        return False
    of = ast.unparse(node.args[0])
    made = ast.unparse(node.func)
    return (made == "torch.ones_like" and of == outputs) or (
        made == "torch.ones" and len(node.args) == 1 and of in (f"{outputs}.size()", f"{outputs}.shape")
    )


def _calls(tree: ast.Module, taken: _Taken) -> list[ast.Call] | None:
    """All calls of the function; None where it is used otherwise, or where one has no outputs that its own function has
    just computed of the inputs."""
    name = taken.function.name
    called = {}
    for around in every_node(tree):
        if isinstance(around, (ast.Module, ast.FunctionDef)) and around is not taken.function:
            nodes = list(_run_by(around))
            for node in nodes:
                if isinstance(node, ast.Call) and last_name(node.func) == name and _fits(node, taken, nodes):
                    called[id(node.func)] = node
    uses = set()
    for node in every_node(tree):
        match node:
            case ast.Name() | ast.Attribute() if last_name(node) == name:
                uses.add(id(node))
            case ast.alias(name=imported, asname=str()) if imported == name:
                return None
            case ast.Constant(value=text) if text == name:
                return None  # found by its name
    return list(called.values()) if uses == called.keys() else None


def _argument(call: ast.Call, parameter: tuple[int, str]) -> ast.expr | None:
    place, name = parameter
    return written_argument(call, name, place)


def _run_by(around: ast.Module | ast.FunctionDef) -> Iterator[ast.AST]:
    """What a function does, those inside it as well, or a file when it is loaded."""
    if isinstance(around, ast.FunctionDef):
        yield from every_node(around)
        return
    waiting: list[ast.AST] = list(around.body)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
            waiting += children(node)


def _fits(call: ast.Call, taken: _Taken, around: Sequence[ast.AST]) -> bool:
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        return False
    outputs, inputs = _argument(call, taken.outputs), _argument(call, taken.inputs)
    if not isinstance(inputs, ast.Name):
        return False
    if isinstance(outputs, ast.Call):
        return _is_given(inputs.id, outputs)
    return isinstance(outputs, ast.Name) and any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and _is_given(inputs.id, node.value)
        and any(isinstance(one, ast.Name) and one.id == outputs.id for one in every_node(node.targets[0]))
        for node in around
    )


def _is_given(name: str, call: ast.Call) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in call.args)


def _bring_torch(tree: ast.Module | None, lines: LineIndex) -> Iterator[TextEdit]:
    """`import torch` before what a file imports first: the gradient is written with its whole name."""
    for statement in tree.body if tree else ():
        if (
            isinstance(statement, (ast.Import, ast.ImportFrom))
            and getattr(statement, "module", "") != "__future__"
        ):
            start = lines.line_start(statement.lineno)
            yield TextEdit(start, start, "import torch\n")
            return


def _in_function(taken: _Taken, lines: LineIndex) -> Iterator[TextEdit]:
    arguments = taken.function.args.args
    shift = 1 if arguments[0].arg in ("self", "cls") else 0
    parameter = arguments[taken.outputs[0] + shift]
    yield TextEdit(start_of(parameter, lines), end_of(parameter, lines), taken.gradient)
    for statement in taken.statements:
        yield TextEdit(
            lines.line_start(statement.lineno),
            lines.line_start((statement.end_lineno or statement.lineno) + 1),
            "",
        )


def _in_call(call: ast.Call, taken: _Taken, lines: LineIndex) -> Iterator[TextEdit]:
    outputs, inputs = _argument(call, taken.outputs), _argument(call, taken.inputs)
    assert outputs is not None and inputs is not None
    name = ast.unparse(outputs)
    of = (
        f"{name}.{taken.reduced or 'sum'}(), {ast.unparse(inputs)}"
        if taken.reduced or isinstance(outputs, ast.Call)
        else f"{name}, {ast.unparse(inputs)}, torch.ones_like({name})"
    )
    new = f"torch.autograd.grad({of}, create_graph=True)[0]"
    keyword = next((one for one in call.keywords if one.value is outputs), None)
    if keyword is not None:
        start = start_of(outputs, lines) - len(f"{keyword.arg}=")
        yield TextEdit(start, end_of(outputs, lines), f"{taken.gradient}={new}")
    else:
        yield TextEdit(start_of(outputs, lines), end_of(outputs, lines), new)
