"""The cases that are measured: examples of the mappings, the same with MindSpore's mint, and variants written by hand.

A case is torch code, MindSpore code that computes the same, and inputs. Nothing here imports a framework."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec
from ruamel.yaml import YAML

from mindport.mapping.names import listed_names
from mindport.mapping.schema import Example, Mapping
from mindport.registry.mindspore import MindSporeFacts
from mindport.registry.signature import ParameterKind
from mindport.registry.tables import torch_usage

HAND_WRITTEN = Path(__file__).with_name("variants.yaml")
INDEXING = "mindspore.Tensor.__getitem__"
_ROOTS = {
    "mindspore": "mindspore",
    "ms": "mindspore",
    "ops": "mindspore.ops",
    "mint": "mindspore.mint",
    "nn": "mindspore.nn",
    "np": "",
    "math": "",
    "numpy": "",
}
# torch's modules and where mint has the same names
_MINT = (
    ("torch.nn.functional.", "F."),
    ("F.", "F."),
    ("torch.nn.", "nn."),
    ("nn.", "nn."),
    ("torch.", "torch."),
)
_MINT_HOMES = {"F.": "mint.nn.functional.", "nn.": "mint.nn.", "torch.": "mint."}
_MOST_APIS = 3
_MOST_OF_AN_API = 4
_OPERATORS = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
}


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to measure. `apis` are MindSpore's names in the order they appear; `arguments` the constant arguments
    of the only one, by MindSpore's parameter name, as source."""

    torch: str
    code: str
    inputs: dict[str, str]
    observe: str = "y"
    apis: tuple[str, ...] = ()
    arguments: dict[str, str] = {}
    popularity: int = 0  # how often public code uses the torch name

    @property
    def id(self) -> str:
        """A name that stays the same as long as the case does."""
        text = "\n".join((self.torch, self.code, *(f"{k}={v}" for k, v in self.inputs.items()), self.observe))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


def all_cases(mappings: Path, facts: MindSporeFacts) -> list[Case]:
    """Every case, without doubles; of each API only the first ones that differ in their arguments. Hand-written ones
    come first, then one of each API, most used ones before others, then the second ones: a run that is cut short has
    seen what matters most."""
    hand = list(hand_written(facts))
    ranked = [((0, 0), case) for case in hand]
    seen = {_essence(case) for case in hand}
    counts = Counter(case.apis for case in hand)
    for case in _derived(mappings, facts):
        is_much = counts[case.apis] >= _MOST_OF_AN_API or len(case.apis) > _MOST_APIS
        if _essence(case) in seen or not case.apis or is_much:
            continue
        seen.add(_essence(case))
        counts[case.apis] += 1
        ranked.append(((counts[case.apis], -case.popularity), case))
    found = {case.id: case for _, case in sorted(ranked, key=lambda item: item[0])}
    return list(found.values())


def _essence(case: Case) -> tuple[object, ...]:
    """What makes a case another one: the API, its arguments and the number of dimensions of its inputs."""
    shapes = tuple(re.sub(r"\d+", "n", text) for text in case.inputs.values())
    return case.apis, tuple(sorted(case.arguments.items())), shapes, len(case.apis) > 1 and case.code


def hand_written(facts: MindSporeFacts) -> Iterable[Case]:
    """The variants in variants.yaml."""
    rows = YAML(typ="safe").load(HAND_WRITTEN.read_text(encoding="utf-8"))
    for row in rows:
        yield make_case(Example(before=row["torch"], after=row["code"], inputs=row["inputs"]), facts)


def make_case(example: Example, facts: MindSporeFacts, popularity: int = 0) -> Case:
    """The case of an example of a mapping."""
    calls = apis_of(example.after, frozenset(example.inputs), facts)
    arguments = constant_arguments(calls[0][1], calls[0][0], facts) if len(calls) == 1 else {}
    return Case(
        torch=example.before,
        code=example.after,
        inputs=dict(example.inputs),
        observe=example.observe,
        apis=tuple(dict.fromkeys(api for api, _ in calls)),
        arguments=arguments,
        popularity=popularity,
    )


def _derived(mappings: Path, facts: MindSporeFacts) -> Iterable[Case]:
    for path in sorted((mappings / "torch").rglob("*.yaml")):
        mapping = msgspec.convert(YAML(typ="safe").load(path.read_text(encoding="utf-8")), Mapping)
        usage = torch_usage()
        names = [name for name, _ in listed_names(mapping.torch) if name in usage]
        popularity = max((usage[name].uses for name in names), default=0)
        for example in mapping.examples:
            if example.compare != "value" or not _can_be_differentiated(example):
                continue
            yield make_case(example, facts, popularity)
            twin = in_mint(example.before, facts)
            if twin is not None and twin != example.after:
                yield make_case(msgspec.structs.replace(example, after=twin), facts, popularity)


def _can_be_differentiated(example: Example) -> bool:
    """Whether an input may hold floats, and none is overwritten: that would measure the assignment."""
    floats = any(re.search(r"rand\(|randn\(|tensor\(|ones\(", text) for text in example.inputs.values())
    names = (
        node for node in ast.walk(ast.parse(example.after)) if isinstance(node, (ast.Name, ast.Subscript))
    )
    stored = (node for node in names if isinstance(node.ctx, ast.Store))
    return floats and not any(isinstance(n, ast.Subscript) or n.id in example.inputs for n in stored)


def in_mint(code: str, facts: MindSporeFacts) -> str | None:
    """torch code with the names of mint, which has torch's names and signatures; None where it lacks one."""
    lacking = False

    def replace(match: re.Match[str]) -> str:
        nonlocal lacking
        prefix, name = match["prefix"], match["name"]
        home = _MINT_HOMES[dict(_MINT)[prefix]]
        if not facts.has(f"mindspore.{home}{name}"):
            lacking = True
        return home + name

    prefixes = "|".join(re.escape(prefix) for prefix, _ in _MINT)
    text = re.sub(rf"(?<![\w.])(?P<prefix>{prefixes})(?P<name>\w+)", replace, code)
    return None if lacking or text == code else text


def apis_of(
    code: str, inputs: frozenset[str], facts: MindSporeFacts
) -> list[tuple[str, ast.Call | ast.expr]]:
    """The MindSpore names that the code uses, in order of evaluation: functions, constructors of cells, methods of
    tensors, operators and indexing."""
    found: list[tuple[str, ast.Call | ast.expr]] = []
    tree = ast.parse(code)
    cells = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and _dotted(node.value.func)[:1].isalpha()
        and _dotted(node.value.func).rpartition(".")[2][:1].isupper()
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    visitor = _Uses(found, cells, facts)
    visitor.visit(tree)
    return found


class _Uses(ast.NodeVisitor):
    """Collects what touches tensors, inner expressions first."""

    def __init__(
        self, found: list[tuple[str, ast.Call | ast.expr]], cells: set[str], facts: MindSporeFacts
    ) -> None:
        self._found, self._cells, self._facts = found, cells, facts

    def visit_Call(self, node: ast.Call) -> None:
        """A function, a constructor, a cell that is run, or a method."""
        dotted = _dotted(node.func)
        root, _, rest = dotted.partition(".")
        if root in _ROOTS and rest:
            for child in (*node.args, *(k.value for k in node.keywords)):
                self.visit(child)
            name = f"{_ROOTS[root]}.{rest}"
            if _ROOTS[root] and self._facts.has(name) and not _is_plain(name):
                self._found.append((name, node))
            return
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and root not in self._cells:
            name = f"mindspore.Tensor.{node.func.attr}"
            if self._facts.has(name) and not _is_plain(name):
                self._found.append((name, node))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Indexing of a tensor; `f(x)[0]` takes one of several results and is none."""
        self.generic_visit(node)
        is_result = isinstance(node.value, ast.Call) and isinstance(node.slice, ast.Constant)
        if isinstance(node.ctx, ast.Load) and not is_result:
            self._found.append((INDEXING, node))

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Going through a tensor indexes it."""
        self.generic_visit(node)
        if isinstance(node.iter, ast.Name):
            self._found.append((INDEXING, ast.Subscript(node.iter, ast.Constant(0), ast.Load())))

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """An arithmetic operator, unless both sides are constants."""
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        constant = all(isinstance(side, ast.Constant) for side in (node.left, node.right))
        if name and not constant and any(isinstance(n, ast.Name) for n in ast.walk(node)):
            self._found.append((f"mindspore.Tensor.{name}", node))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A property such as `x.T`."""
        self.generic_visit(node)
        if node.attr in ("T", "mT", "real", "imag") and _dotted(node).partition(".")[0] not in _ROOTS:
            self._found.append((f"mindspore.Tensor.{node.attr}", node))


def _is_plain(name: str) -> bool:
    """Whether it makes or describes values and differentiates nothing."""
    last = name.rpartition(".")[2]
    return last in {
        "Tensor",
        "Parameter",
        "dtype",
        "shape",
        "ndim",
        "set_train",
        "to_float",
        "dim",
        "size",
        "asnumpy",
    }


def constant_arguments(node: ast.expr, api: str, facts: MindSporeFacts) -> dict[str, str]:
    """The arguments that hold no tensor, by the name of MindSpore's first signature that has room for them."""
    if isinstance(node, ast.Subscript):
        return {"index": ast.unparse(node.slice)}
    if not isinstance(node, ast.Call):
        return {}
    found = {k.arg: ast.unparse(k.value) for k in node.keywords if k.arg and _is_constant(k.value)}
    signatures = facts.signatures(api)
    for signature in signatures:
        names = [p.name for p in signature.parameters if p.kind <= ParameterKind.POSITIONAL_OR_KEYWORD]
        if len(node.args) > len(names):
            continue
        for name, value in zip(names, node.args, strict=False):
            if _is_constant(value):
                found[name] = ast.unparse(value)
        break
    return found


def _is_constant(node: ast.expr) -> bool:
    return not any(
        (isinstance(child, ast.Name) and child.id not in _ROOTS) or isinstance(child, ast.Call)
        for child in ast.walk(node)
    )


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = _dotted(node.value)
        return f"{left}.{node.attr}" if left else ""
    return ""
