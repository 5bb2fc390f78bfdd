"""Losses that are put together from what earlier calls have kept, as in REINFORCE: `policy.saved_log_probs`.

torch follows the graph of such tensors back to the calls that made them. A function of the loss alone does not hold
those calls: its gradients would be zero, without a message."""

from __future__ import annotations

import ast
import builtins
import collections
import re
from collections.abc import Iterator, Sequence

from mindport.rewrite.training.data_only import DataOnly
from mindport.rewrite.training.events import Recogniser, Unclear
from mindport.rewrite.training.flow import Names, names_as_values, own_nodes, written
from mindport.usage import torch_model
from mindport.usage.api_use import Form

_THROUGH = frozenset(("zip", "enumerate", "reversed", "list", "tuple", "sorted", "iter", "sum"))
_JOINS = frozenset(("torch.stack", "torch.cat", "torch.concat", "torch.hstack", "torch.vstack"))
_NOT_NETWORKS = frozenset((*dir(builtins), *dir(collections)))
_CLASS_NAME = re.compile(r"[A-Z][a-z]+\w*")


def calls_a_network(node: ast.AST, data: DataOnly, recogniser: Recogniser) -> bool:
    """Whether something is called that may have parameters: no function of torch or of Python, no method of a tensor or
    of a container, no class that is made."""
    for one in own_nodes(node):
        if not isinstance(one, ast.Call):
            continue
        use = recogniser.use(one.func)
        if use is not None and (use.form is Form.CALL or use.api.startswith("torch.Tensor.")):
            continue
        match one.func:
            case ast.Name(id=name):
                if name not in data.names and name not in _NOT_NETWORKS and not _CLASS_NAME.fullmatch(name):
                    return True
            case ast.Attribute(attr=name, value=value):
                if not data.is_data(value) and name not in _value_methods():
                    return True
    return False


def refuse_kept_graphs(
    statements: Sequence[ast.stmt],
    beside: Sequence[ast.stmt],
    arguments: Names,
    data: DataOnly,
    recogniser: Recogniser,
) -> None:
    """Raise Unclear where the statements that compute a loss go through something from outside of the same pass, and
    use what is in it as values. `beside` are the statements of the pass, which make lists that are filled. What is
    called, such as the layers of a list, may come from anywhere; `arguments` of the function around are judged
    elsewhere."""
    aliases = {
        target.id
        for statement in beside
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Attribute)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    made = frozenset[str]().union(*map(written, beside)) - aliases
    for statement in statements:
        for source in _gone_through(statement, recogniser):
            if recogniser.use(source) is not None or not _is_kept(source, made, arguments):
                continue
            # A list of the module that begins empty is filled by somebody.
            is_of_module = isinstance(source, ast.Name) and source.id in recogniser.constants
            if is_of_module or not data.is_data(source):
                reason = f"the loss is made of `{ast.unparse(source)}`, in which earlier calls may have kept tensors"
                raise Unclear(reason, statement)


def refuse_kept_readers(nodes: Sequence[ast.AST], recogniser: Recogniser, statement: ast.stmt) -> None:
    """Raise Unclear where what computes a loss calls a function of the project that puts it together from what others
    have kept: `policy.loss()`, which goes through the list that each call of `policy` adds to."""
    for node in nodes:
        for one in own_nodes(node):
            name = ""
            match one:
                case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name) as called) if (
                    name in recogniser.kept_readers and recogniser.use(called) is None
                ):
                    reason = f"the loss is made by `{name}` of what earlier calls have kept"
                    raise Unclear(reason, statement)


def _gone_through(statement: ast.stmt, recogniser: Recogniser) -> Iterator[ast.expr]:
    """What a statement takes one by one to compute with, or joins."""
    for node in own_nodes(statement):
        match node:
            case ast.For(target=target, iter=items, body=body):
                yield from _sources_of_values(target, items, body)
            case (
                ast.ListComp(elt=element, generators=parts) | ast.GeneratorExp(elt=element, generators=parts)
            ):
                for part in parts:
                    yield from _sources_of_values(part.target, part.iter, [element, *part.ifs])
            case ast.Call(func=called, args=[first, *_]):
                is_sum = isinstance(called, ast.Name) and called.id == "sum"
                if is_sum or recogniser.api(called) in _JOINS:
                    yield from _sources(first)


def _sources_of_values(target: ast.expr, items: ast.expr, inside: Sequence[ast.AST]) -> Iterator[ast.expr]:
    values = {name for node in inside for name in names_as_values(node)}
    if isinstance(target, ast.Tuple) and isinstance(items, ast.Call) and len(items.args) == len(target.elts):
        for part, source in zip(target.elts, items.args, strict=True):
            if values & written(part):
                yield from _sources(source)
    elif values & written(target):
        yield from _sources(items)


def _sources(items: ast.expr) -> Iterator[ast.expr]:
    """What is gone through in the end: `a` and `b` in `zip(a, reversed(b))`, `a` in `a[::-1]`."""
    match items:
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _THROUGH:
            for argument in arguments:
                yield from _sources(argument)
        case ast.Subscript(value=value, slice=ast.Slice()):
            yield from _sources(value)
        case ast.Name() | ast.Attribute():
            yield items


def _is_kept(source: ast.expr, made: Names, arguments: Names) -> bool:
    """Whether a name or attribute comes from outside of the statements that have `made` names."""
    if isinstance(source, ast.Name):
        return source.id not in made | arguments
    root = source
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id not in made


def _value_methods() -> Names:
    """The methods of tensors and of Python's containers and texts."""
    tensor = torch_model.members(torch_model.TENSOR_CLASS)
    return frozenset((*tensor, *dir(list), *dir(dict), *dir(set), *dir(str), *dir(collections.deque)))
