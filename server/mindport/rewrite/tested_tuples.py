"""Names that hold classes for tests of types alone: `LAYERS = (nn.Conv2d, nn.Linear)`, a parameter's default. A helper
that takes the place of a class there is only one of those that its layers may have."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping

from mindport.mapping.index import load_index
from mindport.mapping.standing_classes import helper_base
from mindport.rewrite.mindspore_modules import imports_torch, mindspore_modules, written_short
from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.called_names import is_type_of

_TESTS = ("isinstance", "issubclass")
_DISPLAYS = (ast.Tuple, ast.List)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def with_whole_tuples(before: str, text: str) -> str:
    """A text converted from `before` whose tuples of classes to test for hold MindSpore's classes beside the helpers
    that derive from them. The same text where there are none, or where it does not parse."""
    if "Torch" not in text or not imports_torch(before):
        return text
    return with_edits_of_tree(text, _edits)


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    modules = mindspore_modules(tree)
    for scope, name, display in _held(tree):
        missing = _missing(display, modules)
        if missing and is_only_tested(name, scope):
            end = end_of(display.elts[-1], lines)
            yield TextEdit(end, end, "".join(f", {one}" for one in missing))


def _held(tree: ast.Module) -> Iterator[tuple[ast.AST, str, ast.Tuple | ast.List]]:
    """The tuples and lists that a name holds from the start, with the scope of the name."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple() | ast.List() as display):
                yield tree, name, display
    for node in every_node(tree):
        if isinstance(node, _FUNCTIONS):
            places = [*node.args.posonlyargs, *node.args.args]
            defaults = node.args.defaults
            for parameter, default in zip(places[len(places) - len(defaults) :], defaults, strict=True):
                if isinstance(default, _DISPLAYS):
                    yield node, parameter.arg, default


def _missing(display: ast.Tuple | ast.List, modules: Mapping[str, str]) -> list[str]:
    known = {ast.unparse(one) for one in display.elts}
    named = [one.id for one in display.elts if isinstance(one, ast.Name)]
    bases = [base for one in named for base in _bases().get(one, (helper_base(one),))]
    layers = [one for one in bases if one is not None and one not in ("object", "mindspore.nn.Cell")]
    written = [written_short(one, modules) for one in layers]
    return [one for one in dict.fromkeys(written) if one is not None and one not in known]


@functools.cache
def _bases() -> dict[str, tuple[str, ...]]:
    """Helper in the place of a base class of torch, from which nothing that is built derives -> the classes of
    MindSpore's that stand for it in a test."""
    index = load_index()
    found: dict[str, tuple[str, ...]] = {}
    for _, mapping in index.mappings():
        helper = next((case.helper for case in mapping.cases if case.helper), None)
        tests = [case.rewrite for case in mapping.cases if case.rewrite and "$call" in case.when]
        if helper is not None and tests and tests[0].startswith("("):
            names = tests[0].strip("()").split(", ")
            found.setdefault(helper, tuple(name for name in names if name.startswith("mindspore.")))
    return found


def is_only_tested(name: str, scope: ast.AST) -> bool:
    """Whether a name is asked for in tests of types alone, and handed on under its own name at most."""
    tested: set[int] = set()
    for node in every_node(scope):
        match node:
            case ast.Call(func=ast.Name(id=function), args=[_, ast.Name() as given]) if function in _TESTS:
                tested.add(id(given))
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as given]):
                if is_type_of(left):
                    tested.add(id(given))
            case ast.keyword(arg=keyword, value=ast.Name() as given) if keyword == name:
                tested.add(id(given))
    reads = [
        node
        for node in every_node(scope)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    return bool(reads) and all(id(node) in tested for node in reads)
