"""Code that tells layers by the names or texts of their classes, as functions for `apply` do: MindSpore names some
classes, and the weights of some, otherwise, and nothing would tell that a test never holds any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from mindport.mapping.helper_source import helper_source
from mindport.rewrite.class_texts import CLASS_TEXT, examined_class_texts
from mindport.rewrite.defined_helpers import with_definition
from mindport.rewrite.layers_gone_through import GOES_THROUGH_LAYERS
from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.usage.mixed_layers import NORM_AROUND_ANOTHER

CLASS_NAME = "torch_class_name"
"""The helper that gives the name a class has in torch."""
CLASS_MODULE = "torch_class_module"
"""The helper that gives the module in which a class goes by that name."""
WEIGHTS = {"weight": "torch_weight", "bias": "torch_bias"}
"""The helpers that give the weights of a layer, whatever its class calls them."""

_RENAMED = {
    "Linear": "Dense",
    "Sequential": "SequentialCell",
    "ModuleList": "CellList",
    "ModuleDict": "CellDict",
    "ConvTranspose1d": "Conv1dTranspose",
    "ConvTranspose2d": "Conv2dTranspose",
    "ConvTranspose3d": "Conv3dTranspose",
    "SELU": "SeLU",
    "Hardswish": "HSwish",
    "Hardsigmoid": "HSigmoid",
    "Hardshrink": "HShrink",
    "Softshrink": "SoftShrink",
    "LocalResponseNorm": "LRN",
    # One channel in each group; groups of several are those of another class of the same name.
    "InstanceNorm1d": "GroupNorm",
    "InstanceNorm2d": "GroupNorm",
    "InstanceNorm3d": "GroupNorm",
    "GroupNorm": "InstanceNorm",
}
_NORMS = (
    *("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm"),
    *("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"),
)
_NORM_WEIGHTS = {"weight": "gamma", "bias": "beta"}


_ASKS_FOR_CLASSES = re.compile(
    r"""__name__|__module__|(?:str|repr)\([^()]*(?:__class__|type\()|\.(?:find|index|split)\(['"]\(['"]"""
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def with_torch_class_names(text: str, names_layers: bool, is_built: Callable[[str], bool]) -> str:
    """A converted text whose tests of class names hold for the same layers as before, and, where the project asks for
    layers by their names (`names_layers`), whose registries have them under these. `is_built` tells which helpers the
    project builds layers by. The same text where there are none, or where it does not parse."""
    if not _ASKS_FOR_CLASSES.search(text):
        return text
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    classes = {node.name for node in every_node(tree) if isinstance(node, ast.ClassDef)}
    own = {name for name in classes if not helper_source(name)}
    lines = LineIndex(text)
    has_layers = GOES_THROUGH_LAYERS.search(text) is not None
    edits: dict[tuple[int, int], str] = {}
    for read, layer in examined_class_texts(tree) if has_layers else ():
        edits[start_of(read, lines), end_of(read, lines)] = f"{CLASS_TEXT}({layer})"
    for scope in every_node(tree):
        if isinstance(scope, _Function) and scope.name != CLASS_MODULE:
            for kind, read in _registered_names(scope) if names_layers else ():
                edits[start_of(read, lines), end_of(read, lines)] = f"{CLASS_NAME}({kind})"
            for kind, read in _registered_modules(scope) if names_layers else ():
                edits[start_of(read, lines), end_of(read, lines)] = f"{CLASS_MODULE}({kind})"
            for layer, name in _named_by_texts(scope) if has_layers else ():
                edits[start_of(name, lines), end_of(name, lines)] = f"{CLASS_NAME}({layer})"
            for layer, name in _named_layers(scope):
                tests = _Tests(scope, layer, name, own, is_built, has_layers)
                edits.update(tests.edits(lines))
    if not edits:
        return text
    text = with_edits(text, (TextEdit(*place, new) for place, new in edits.items()))
    used = {new.partition("(")[0] for new in edits.values()}
    used |= {CLASS_NAME} if used & {CLASS_MODULE, CLASS_TEXT} else set()  # they ask for the name
    for helper in (CLASS_NAME, CLASS_MODULE, CLASS_TEXT, *WEIGHTS.values()):
        if helper in used:
            text = with_definition(text, helper)
    return text


def _registered_names(scope: _Function) -> Iterator[tuple[str, ast.expr]]:
    """Each parameter that a function hands on or keeps by the name of the class, as registries do, and that name."""
    parameters = {one.arg for one in (*scope.args.args, *scope.args.kwonlyargs)}
    kept = {one.id for node in every_node(scope) for one in _kept_by(node) if isinstance(one, ast.Name)}
    for node in every_node(scope):
        match node:
            case ast.Attribute(value=ast.Name(id=kind), attr="__name__") if kind in kept & parameters:
                yield kind, node


def _registered_modules(scope: _Function) -> Iterator[tuple[str, ast.expr]]:
    """Each parameter whose module a function looks up, as registries do that find a class by module and name, and where
    it does so."""
    parameters = {one.arg for one in (*scope.args.args, *scope.args.kwonlyargs)}
    for node in every_node(scope):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
                args=[ast.Attribute(value=ast.Name(id=kind), attr="__module__")],
                keywords=[],
            ) if kind in parameters:
                yield kind, node
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"),
                slice=ast.Attribute(value=ast.Name(id=kind), attr="__module__"),
            ) if kind in parameters:
                yield kind, node


def _kept_by(node: ast.AST) -> Iterable[ast.expr | None]:
    """What a statement or expression puts into a table, or hands to a function that may do so."""
    match node:
        case ast.Assign(targets=[ast.Subscript()], value=ast.Call(args=args) as value):
            return (value, *args)
        case ast.Assign(targets=[ast.Subscript()], value=value):
            return (value,)
        case ast.Dict(values=values):
            return values
        case ast.Call(func=ast.Attribute(value=ast.Name(id="inspect" | "functools"))):
            return ()
        case ast.Call(func=ast.Attribute(), args=args, keywords=keywords):
            return (*args, *(one.value for one in keywords))
    return ()


def _named_layers(scope: _Function) -> Iterator[tuple[str, ast.expr]]:
    """Each variable of which a function reads the name of its class, and that expression."""
    for node in every_node(scope):
        if isinstance(node, ast.Attribute) and node.attr == "__name__":
            match node.value:
                case ast.Attribute(value=ast.Name(id=layer), attr="__class__"):
                    yield layer, node
                case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=layer)], keywords=[]):
                    yield layer, node


def _named_by_texts(scope: _Function) -> Iterator[tuple[str, ast.expr]]:
    """Each variable of which a function reads what stands before the first parenthesis of its text, which of a layer is
    the name of its class, and that expression: `text = str(layer)`, `text[:text.find("(")]`."""
    texts = {
        target.id: assigned.value
        for assigned in every_node(scope)
        if isinstance(assigned, ast.Assign) and len(assigned.targets) == 1
        for target in assigned.targets
        if isinstance(target, ast.Name)
    }
    for node in every_node(scope):
        match node:
            case ast.Subscript(
                value=text,
                slice=ast.Slice(
                    lower=None,
                    upper=ast.Call(
                        func=ast.Attribute(value=searched, attr="find" | "index"),
                        args=[ast.Constant(value="(")],
                    ),
                    step=None,
                ),
            ) if ast.dump(text) == ast.dump(searched):
                pass
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Attribute(value=text, attr="split"),
                    args=[ast.Constant(value="("), *_],
                    keywords=[],
                ),
                slice=ast.Constant(value=0),
            ):
                pass
            case _:
                continue
        match texts.get(text.id) if isinstance(text, ast.Name) else text:
            case ast.Call(func=ast.Name(id="str" | "repr"), args=[ast.Name(id=layer)], keywords=[]):
                if layer != "self":
                    yield layer, node


class _Tests:
    """The tests of the class name of one variable in a function."""

    def __init__(
        self,
        scope: _Function,
        layer: str,
        name: ast.expr,
        own: set[str],
        is_built: Callable[[str], bool],
        has_layers: bool,
    ) -> None:
        self._scope = scope
        self._layer = layer
        self._name = name
        self._own = own
        self._is_built = is_built
        self._has_layers = has_layers
        self._variables = {
            target.id
            for node in every_node(scope)
            if isinstance(node, ast.Assign) and node.value is name
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def edits(self, lines: LineIndex) -> dict[tuple[int, int], str]:
        """Places of the text with what stands there now."""
        if self._layer == "self":
            return {}
        found: dict[tuple[int, int], str] = {}
        nodes = every_node(self._scope)
        words = [word for node in nodes for word in self._words(node)]
        whole = [word for node in nodes if _asks_for_all(node) for word in self._words(node)]
        is_anew = any(_is_found_anew(node, word) for node in nodes for word in self._words(node))
        is_other = is_anew or any(map(_is_renamed, words)) or any(map(self._is_of_helper, whole))
        if is_other or (self._has_layers and any(map(self._looks_up, nodes))):
            found[start_of(self._name, lines), end_of(self._name, lines)] = f"{CLASS_NAME}({self._layer})"
        for node in every_node(self._scope):
            if isinstance(node, ast.If) and self._asks_for_norms(node.test):
                asked = [word for one in every_node(node.test) for word in self._words(one)]
                differ = any(word in name for word in asked for name in self._other_norms())
                for statement in node.body:
                    found.update(self._weights(statement, differ, lines))
        return found

    def _words(self, node: ast.AST) -> Iterator[str]:
        """The literals that the name is compared with by an expression."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=value, attr="find" | "startswith" | "endswith"), args=args
            ):
                others = list(args)
            case ast.Compare(left=value, comparators=others) if self._is_name(value):
                pass
            case ast.Compare(
                left=other, ops=[ast.In() | ast.NotIn() | ast.Eq() | ast.NotEq()], comparators=[value]
            ):
                others = [other]
            case _:
                return
        if self._is_name(value):
            for other in others:
                parts = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
                yield from (
                    one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )

    def _is_of_helper(self, word: str) -> bool:
        """Whether layers of this name are of a helper that has its own name."""
        helper = f"Torch{word}"
        return self._is_built(helper) and f"{helper}.__name__" not in helper_source(helper)

    def _looks_up(self, node: ast.AST) -> bool:
        """Whether the name is compared with what is not written here, or something is kept or looked up by it."""
        match node:
            case ast.Subscript(slice=key) | ast.Return(value=ast.expr() as key):
                return self._is_name(key)
            case ast.Compare(left=left, comparators=[other]) if self._is_name(left) or self._is_name(other):
                given = other if self._is_name(left) else left
                return not isinstance(given, (ast.Constant, ast.Tuple, ast.List, ast.Set))
            case ast.Call(func=ast.Attribute(attr="get" | "append" | "add" | "setdefault"), args=[key, *_]):
                return self._is_name(key)
            case ast.Call(func=ast.Name("getattr" | "hasattr"), args=[_, key, *_]):
                return self._is_name(key)
        return False

    def _is_name(self, node: ast.expr) -> bool:
        return node is self._name or (isinstance(node, ast.Name) and node.id in self._variables)

    def _asks_for_norms(self, test: ast.expr) -> bool:
        words = [word for node in every_node(test) for word in self._words(node)]
        is_own = any(word in name for word in words for name in self._own)
        is_norm = all("Norm" in word and any(word in norm for norm in _NORMS) for word in words)
        return bool(words) and is_norm and not is_own

    def _other_norms(self) -> Iterator[str]:
        """The names in torch of norms whose weights go by other names than those of most."""
        yield "GroupNorm"
        if any(map(self._is_built, (NORM_AROUND_ANOTHER, f"Torch{NORM_AROUND_ANOTHER}"))):
            yield NORM_AROUND_ANOTHER

    def _weights(
        self, statement: ast.stmt, differ: bool, lines: LineIndex
    ) -> Iterator[tuple[tuple[int, int], str]]:
        for node in every_node(statement):
            match node:
                case ast.Attribute(value=ast.Name(id=layer), attr="weight" | "bias") if layer == self._layer:
                    start, end = start_of(node, lines), end_of(node, lines)
                    if differ and isinstance(node.ctx, ast.Load):
                        yield (start, end), f"{WEIGHTS[node.attr]}({layer})"
                    else:
                        yield (end - len(node.attr), end), _NORM_WEIGHTS[node.attr]


def _asks_for_all(node: ast.AST) -> bool:
    """Whether a test is for the whole name, or its beginning, which is that of a helper otherwise."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method)):
            return method == "startswith"
        case ast.Compare(ops=[ast.In() | ast.NotIn()], left=ast.Constant()):
            return False
    return isinstance(node, ast.Compare)


def _is_renamed(word: str) -> bool:
    return bool(word) and any(word in torch and word not in other for torch, other in _RENAMED.items())


def _is_found_anew(node: ast.AST, word: str) -> bool:
    """Whether a test for a word holds for the name that MindSpore has for a class and not for torch's: `Dense`, as
    a project calls a layer of its own, and `Conv2d` in that of a transposed convolution."""
    match node:
        case ast.Call(func=ast.Attribute(attr="startswith")):
            return any(other.startswith(word) > torch.startswith(word) for torch, other in _RENAMED.items())
    if _asks_for_all(node):
        return word in _RENAMED.values() and word not in _RENAMED
    return any((word in other) > (word in torch) for torch, other in _RENAMED.items())
