"""Which values of a text are complex tensors, read from what its functions call, give and hand on: `rfft`, `polar`,
`view_as_complex`, `zeros(n, dtype=complex64)` and the like, and from what is known of functions of other files."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from mindport.rewrite.kinds_of_names import nodes_of, scopes_of_the_user
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import last_name

# What gives complex numbers, by the names that MindSpore and torch have for it.
_MAKERS = frozenset(
    {
        "Complex", "complex", "conj", "fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "polar", "rfft", "rfft2",
        "rfftn", "view_as_complex",
    }
)  # fmt: skip
# What is complex where its tensor is: other looks at it, sums, and functions of each element.
_KEEPING = frozenset(
    {
        "add", "broadcast_to", "cat", "chunk", "contiguous", "copy", "cumprod", "cumsum", "div", "einsum", "exp",
        "expand", "expand_dims", "fftshift", "flatten", "flip", "ifftshift", "log", "mean", "mul", "narrow", "permute",
        "pow", "repeat", "reshape", "roll", "split", "sqrt", "square", "squeeze", "stack", "stop_gradient", "sub",
        "sum", "swapaxes", "tile", "transpose", "unsqueeze", "view", "Parameter", "torch_cat", "torch_complex_product",
        "torch_complex_quotient", "torch_complex_sum", "torch_einsum", "torch_stack",
    }
)  # fmt: skip
# What gives complex numbers where `return_complex` asks for them.
_SPECTRA = frozenset({"stft", "torch_stft"})
_COMPLEX_TYPES = ("complex64", "complex128")
OF_ARRAYS = ("np.", "numpy.", "scipy.", "cp.", "jnp.", "librosa.")
SIGNS = (*(f"{name}(" for name in (*_MAKERS, *_SPECTRA)), *_COMPLEX_TYPES, "torch_view_as_complex")
_WHOLE = -1  # stands for a function that gives one value
_MOST_ROUNDS = 6
_MOST_FILES = 3  # one behind the other

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_giving_complex(texts: Iterable[str]) -> dict[str, frozenset[int]]:
    """The functions at the top of these texts that give something complex, by name, each with which of its values are;
    those of what others of them give, too."""
    every = list(texts)
    found: dict[str, frozenset[int]] = {}
    for _ in range(_MOST_FILES):
        before = dict(found)
        for text in every:
            if any(sign in text for sign in SIGNS) or any(name in text for name in before):
                found |= _given_at_the_top(text, before)
        if found == before:
            break
    return found


def _given_at_the_top(text: str, outside: Mapping[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return {}
    top = {node.name for node in tree.body if isinstance(node, _Function)}
    return {name: parts for name, parts in ComplexValues(tree, outside).results.items() if name in top}


class ComplexValues:
    """What is complex in a text. Functions are told apart by their names, so of several with one name each counts.
    `outside` has functions of other files that a text may import, with which of their values are complex."""

    def __init__(self, tree: ast.Module, outside: Mapping[str, frozenset[int]] | None = None) -> None:
        self._scopes = list(scopes_of_the_user(tree))
        self._imported = _imported(tree, outside or {})
        self._names_of_functions = _other_names(tree)
        self._functions: defaultdict[str, list[_Function]] = defaultdict(list)
        for scope in self._scopes:
            if isinstance(scope, _Function):
                self._functions[scope.name].append(scope)
        self._given: defaultdict[int, set[str]] = defaultdict(set)
        self._results: dict[str, frozenset[int]] = {}
        self._kept: set[str] = set()
        """The attributes that objects keep something complex in."""
        for _ in range(_MOST_ROUNDS):
            if not self._goes_on():
                break

    @property
    def results(self) -> dict[str, frozenset[int]]:
        """Which values of functions are complex, by their names."""
        return self._results

    def scopes(self) -> Iterator[tuple[ast.AST, frozenset[str]]]:
        """The scopes of the user with their names of complex tensors."""
        for scope in self._scopes:
            yield scope, self._names(scope)

    def _goes_on(self) -> bool:
        """Follow calls and results once; whether anything new came of it."""
        before = sum(map(len, self._given.values())), dict(self._results), len(self._kept)
        results: defaultdict[str, set[int]] = defaultdict(set)
        for scope, names in self.scopes():
            for node in nodes_of(scope):
                self._kept.update(self._attributes(node, names))
                if isinstance(node, ast.Call):
                    self._hand_on(node, names)
                elif isinstance(node, ast.Return) and node.value is not None and isinstance(scope, _Function):
                    parts = (
                        enumerate(node.value.elts)
                        if isinstance(node.value, ast.Tuple)
                        else [(_WHOLE, node.value)]
                    )
                    results[scope.name].update(at for at, part in parts if self.is_complex(part, names))
        self._results = {name: frozenset(found) for name, found in results.items() if found}
        return before != (sum(map(len, self._given.values())), self._results, len(self._kept))

    def _attributes(self, node: ast.AST, names: frozenset[str]) -> Iterator[str]:
        """The attributes of `self` that a node gives something complex, as a buffer or otherwise."""
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                pass
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr="register_buffer"),
                args=[ast.Constant(value=str(name)), value, *_],
            ):
                pass
            case _:
                return
        if self.is_complex(value, names):
            yield name

    def _hand_on(self, call: ast.Call, names: frozenset[str]) -> None:
        functions = [one for name in self._meant(call.func) for one in self._functions.get(name, ())]
        for function in functions:
            parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
            if isinstance(call.func, ast.Attribute) and parameters[:1] in (["self"], ["cls"]):
                parameters = parameters[1:]
            given = [
                *zip(parameters, call.args, strict=False),
                *((one.arg, one.value) for one in call.keywords),
            ]
            self._given[id(function)].update(
                parameter
                for parameter, value in given
                if parameter is not None and self.is_complex(value, names)
            )

    def _names(self, scope: ast.AST) -> frozenset[str]:
        """The names that a scope gives something complex, directly or by another name, or gets from its callers."""
        given = frozenset(self._given.get(id(scope), ()))
        assigned = [
            (target, node.value)
            for node in nodes_of(scope)
            if isinstance(node, ast.Assign)
            for target in node.targets
        ]
        names = given
        while True:
            found = given.union(
                name for target, value in assigned for name in self._assigned(target, value, names)
            )
            if found == names:
                return names
            names = found

    def _assigned(self, target: ast.expr, value: ast.expr, names: frozenset[str]) -> Iterator[str]:
        if isinstance(target, ast.Name):
            if self.is_complex(value, names):
                yield target.id
        elif isinstance(target, ast.Tuple):
            complex_parts = self._complex_parts(value, names)
            for at, one in enumerate(target.elts):
                if isinstance(one, ast.Name) and at in complex_parts:
                    yield one.id

    def _complex_parts(self, value: ast.expr, names: frozenset[str]) -> frozenset[int]:
        if isinstance(value, ast.Tuple):
            return frozenset(at for at, one in enumerate(value.elts) if self.is_complex(one, names))
        return self._results_of(value) if isinstance(value, ast.Call) else frozenset()

    def _results_of(self, call: ast.Call) -> frozenset[int]:
        if ast.unparse(call.func).startswith(OF_ARRAYS):
            return frozenset()
        return frozenset[int]().union(
            *(
                known.get(name, frozenset())
                for name in self._meant(call.func)
                for known in (self._results, self._imported)
            )
        )

    def _meant(self, function: ast.expr) -> tuple[str, ...]:
        """The name of what is called, and those of the functions that it may stand for."""
        name = last_name(function) or ""
        return (name, *self._names_of_functions.get(name, ()))

    def is_complex(self, node: ast.expr, names: frozenset[str]) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, complex)
            case ast.Attribute(attr=attribute) if (
                attribute in _COMPLEX_TYPES
            ):  # a name of it says so of what has it
                return not ast.unparse(node).startswith(OF_ARRAYS)
            case ast.Name(id=name):
                return name in names
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return name in self._kept
            case ast.Subscript(value=value) | ast.UnaryOp(operand=value):
                return self.is_complex(value, names)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
                return self.is_complex(left, names) or self.is_complex(right, names)
            case ast.IfExp(body=body, orelse=other):
                return self.is_complex(body, names) or self.is_complex(other, names)
            case ast.Call(func=ast.Lambda(body=body)):
                return self.is_complex(body, names)
            case ast.Call(func=ast.Call() as made):  # `ops.Complex()(real, imag)`
                return last_name(made.func) == "Complex"
            case ast.Call(func=func, args=args):
                name = last_name(func)
                if _WHOLE in self._results_of(node):
                    return True
                if self._has_complex_type(node, names):
                    return not ast.unparse(func).startswith(OF_ARRAYS)
                if "torch_view_as_complex" in self._meant(func):
                    return True
                if name in _SPECTRA:
                    return not ast.unparse(func).startswith(OF_ARRAYS) and _asks_for_complex(node)
                if isinstance(func, ast.Name) and _MAKERS & self._names_of_functions.get(
                    func.id, frozenset()
                ):
                    return True
                if name in _MAKERS:
                    return isinstance(func, ast.Attribute) and not ast.unparse(func).startswith(OF_ARRAYS)
                owner = [func.value] if isinstance(func, ast.Attribute) else []
                given = [
                    part
                    for one in args[: None if "einsum" in name else 2]
                    for part in (one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one])
                ]
                return name in _KEEPING and any(self.is_complex(one, names) for one in (*owner, *given))
        return False

    def _has_complex_type(self, call: ast.Call, names: frozenset[str]) -> bool:
        """Whether a call is given a complex dtype of MindSpore: `zeros(3, dtype=mindspore.complex64)`, or `dtype=kind`
        where that is one of the complex `names`."""
        given = [one for one in call.args if isinstance(one, ast.Attribute)]
        given_by_name = [one.value for one in call.keywords if one.arg == "dtype"]
        return any(
            isinstance(one, (ast.Attribute, ast.Name, ast.IfExp)) and self.is_complex(one, names)
            for one in (*given, *given_by_name)
        )


def _imported(tree: ast.Module, outside: Mapping[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    """The functions of other files that a text imports, by the names that they have in it."""
    return {
        one.asname or one.name: outside[one.name]
        for node in (every_node(tree) if outside else ())
        if isinstance(node, ast.ImportFrom)
        for one in node.names
        if one.name in outside
    }


def _other_names(tree: ast.Module) -> dict[str, frozenset[str]]:
    """The names that stand for functions, `kernel = kernel_naive` in a branch, with those that they may stand for."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as value):
                meant = last_name(value)
                if meant is not None and not ast.unparse(value).startswith(OF_ARRAYS):
                    found[name].add(meant)
    return {name: frozenset(meant) for name, meant in found.items()}


def _asks_for_complex(call: ast.Call) -> bool:
    given = next((one.value for one in call.keywords if one.arg == "return_complex"), None)
    return given is not None and not (isinstance(given, ast.Constant) and not given.value)
