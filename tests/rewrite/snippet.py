"""Makes the uses of a small snippet, so that judging and rewriting are tested without the inference of types:
every attribute of a value that is not torch is taken for one of a tensor (or of the class that `types`
gives)."""

from __future__ import annotations

import ast

import msgspec
from ruamel.yaml import YAML

from mindport.mapping.index import MappingIndex
from mindport.mapping.judge import judge
from mindport.mapping.load import read_mapping
from mindport.mapping.schema import Evidence, Mapping
from mindport.model.span import Span
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Confidence
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.source.lines import LineIndex
from mindport.source.syntax import parse_tree
from mindport.source.trees import children, every_node
from mindport.usage.api_use import (
    ApiUse,
    Argument,
    Call,
    FileUsage,
    Form,
    ImportBinding,
    Kind,
    ResultUse,
    TorchName,
)


def read_with_runs(text: str, file: str = "test.yaml") -> Mapping:
    """The mapping of a text, with the runs that a last key `evidence:` has; in the catalogue they lie in files of their
    own."""
    written, mark, runs = text.partition("evidence:")
    mapping = read_mapping(written, file)
    assert isinstance(mapping, Mapping), mapping
    seen = YAML(typ="safe").load(mark + runs)["evidence"] if mark else []
    return msgspec.structs.replace(mapping, evidence=msgspec.convert(seen, list[Evidence]))


IMPORTS = {
    "torch": "import torch\n",
    "nn": "from torch import nn\n",
    "optim": "from torch import optim\n",
    "F": "import torch.nn.functional as F\n",
    "torchaudio": "import torchaudio\n",
    "torchvision": "import torchvision\n",
}
HEADER = "".join(IMPORTS.values())
CPU = Target(Version(2, 10, 0), Device.CPU)


def target_for(device: str = "CPU", mode: str = "pynative") -> Target:
    """The newest version on a device."""
    return Target(Version(2, 10, 0), Device(device), Mode(mode))


class _Walk:
    def __init__(self, text: str, kinds: dict[str, Kind], confidence: Confidence) -> None:
        self.lines = LineIndex(text)
        self.kinds = kinds
        self.confidence = confidence
        self.uses: list[ApiUse] = []
        self.imports: list[ImportBinding] = []
        self.modules: dict[str, str] = {}
        self.bound: set[str] = set()
        self.parents: dict[ast.AST, ast.AST] = {}
        self.types: dict[str, str] = {}

    def span(self, node: ast.AST) -> Span:
        assert isinstance(node, (ast.expr, ast.stmt, ast.alias, ast.keyword))
        end_line = node.end_lineno or node.lineno
        column = self.lines.column_of_byte(node.lineno, node.col_offset)
        return Span(
            node.lineno, column, end_line, self.lines.column_of_byte(end_line, node.end_col_offset or 0)
        )

    def run(self, tree: ast.Module) -> None:
        for node in every_node(tree):
            for child in children(node):
                self.parents[child] = node
        for statement in tree.body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.add_import(statement)
        for node in every_node(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.bound.add(node.id)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                api = self.dotted(node.value.func)
                kind = torch_facts().kind(api) if api else None
                if kind is not None and kind.is_class and isinstance(node.targets[0], ast.Name):
                    self.types[node.targets[0].id] = api or ""
        for node in every_node(tree):
            if isinstance(node, ast.Attribute):
                self.add_use(node)
            if isinstance(node, ast.ClassDef) and any(self.is_module(base) for base in node.bases):
                self.add_overrides(node)
        self.uses.sort(key=lambda use: (use.span.start, use.span.end))

    def add_import(self, statement: ast.Import | ast.ImportFrom) -> None:
        for alias in statement.names:
            module = alias.name if isinstance(statement, ast.Import) else statement.module or ""
            name = "" if isinstance(statement, ast.Import) else alias.name
            local = alias.asname or (alias.name.split(".")[0] if not name else alias.name)
            full = f"{module}.{name}" if name else (module if alias.asname else local)
            self.modules[local] = full
            self.bound.add(local)
            self.imports.append(ImportBinding(local, module, name, self.span(statement), self.span(alias)))

    def dotted(self, node: ast.AST) -> str | None:
        """The canonical torch name of an expression."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        return None

    def add_use(self, node: ast.Attribute) -> None:
        dotted = self.dotted(node)
        span = self.span(node)
        name_span = Span(span.end_line, span.end_column - len(node.attr), span.end_line, span.end_column)
        parent = self.parents.get(node)
        call = self.call(parent) if isinstance(parent, ast.Call) and parent.func is node else None
        whole = parent if call is not None else node
        receiver = None
        facts = torch_facts()
        if dotted is not None:
            if not dotted.startswith("torch"):
                return
            api = facts.canonical(dotted)
            if api is None or isinstance(parent, ast.Attribute):
                return
            form = Form.CALL if call else Form.VALUE
            if isinstance(parent, ast.ClassDef):
                form = Form.BASE_CLASS
        else:
            owner = "torch.Tensor"
            if isinstance(node.value, ast.Name):
                owner = self.types.get(node.value.id, owner)
            elif isinstance(node.value, ast.Call):
                made = facts.canonical(self.dotted(node.value.func) or "")
                kind = facts.kind(made or "")
                owner = made if made and kind is not None and kind.is_class else owner
                returned = facts.returns(made or "")
                owner = returned.name if node.attr in returned.fields else owner
            api = facts.canonical(f"{owner}.{node.attr}") or facts.canonical(f"torch.nn.Module.{node.attr}")
            if api is None:
                return
            kind = facts.kind(api)
            is_method = kind is not None and kind.value == "method"
            form = Form.METHOD if is_method else Form.ATTRIBUTE
            receiver = self.span(node.value)
        self.uses.append(
            ApiUse(api, form, span, name_span, self.confidence, call, receiver, self.result(whole))
        )

    def is_module(self, base: ast.expr) -> bool:
        kind = torch_facts().kind(torch_facts().canonical(self.dotted(base) or "") or "")
        return kind is not None and kind.value == "module_class"

    def add_overrides(self, node: ast.ClassDef) -> None:
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                api = torch_facts().canonical(f"torch.nn.Module.{method.name}")
                if api is not None:
                    start = self.span(method)
                    column = start.column + len("def ")
                    span = Span(start.line, column, start.line, column + len(method.name))
                    self.uses.append(ApiUse(api, Form.OVERRIDE, span, span))

    def result(self, node: ast.AST | None) -> ResultUse:
        parent = None if node is None else self.parents.get(node)
        match parent:
            case ast.Expr():
                return ResultUse.DISCARDED
            case ast.Subscript():
                return ResultUse.INDEXED
            case ast.Attribute():
                return ResultUse.ATTRIBUTE
            case ast.Assign(targets=[ast.Tuple()]):
                return ResultUse.UNPACKED
        return ResultUse.OTHER

    def call(self, node: ast.Call) -> Call:
        arguments = []
        for argument in node.args:
            star = int(isinstance(argument, ast.Starred))
            value = argument.value if isinstance(argument, ast.Starred) else argument
            arguments.append(self.argument(value, None, None, star))
        for keyword in node.keywords:
            span = None
            if keyword.arg is not None:
                start = self.span(keyword)
                span = Span(start.line, start.column, start.line, start.column + len(keyword.arg))
            arguments.append(self.argument(keyword.value, keyword.arg, span, 0 if keyword.arg else 2))
        arguments.sort(key=lambda one: one.keyword_span or one.span)
        return Call(self.span(node), tuple(arguments))

    def argument(
        self, value: ast.expr, keyword: str | None, keyword_span: Span | None, star: int
    ) -> Argument:
        is_literal, literal = _literal(value, self.dotted)
        kind = _kind(literal) if is_literal else Kind.UNKNOWN
        if isinstance(value, ast.GeneratorExp):
            kind = Kind.OTHER
        if isinstance(value, (ast.Tuple, ast.List, ast.ListComp)):
            kind = Kind.SEQUENCE
        if isinstance(value, ast.Name):
            kind = self.kinds.get(value.id, kind)
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            kind = Kind.SEQUENCE
        if isinstance(value, ast.Call):
            kind = self.kind_of_call(value)
        return Argument(self.span(value), keyword, keyword_span, star, kind, is_literal, literal)

    def kind_of_call(self, node: ast.Call) -> Kind:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "tolist":
            return Kind.SEQUENCE
        if isinstance(node.func, ast.Name) and node.func.id in ("float", "int", "tuple", "list"):
            return {"float": Kind.FLOAT, "int": Kind.INT}.get(node.func.id, Kind.SEQUENCE)
        api = torch_facts().canonical(self.dotted(node.func) or "")
        if api is not None and torch_facts().returns(api).kind.value == "tensor":
            return Kind.TENSOR
        return Kind.UNKNOWN


def _literal(node: ast.expr, dotted):
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = dotted(node)
        return (True, TorchName(name)) if name and name.startswith("torch.") else (False, None)
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return False, None
    return True, tuple(value) if isinstance(value, list) else value


def _kind(value: object) -> Kind:
    kinds = {bool: Kind.BOOL, int: Kind.INT, float: Kind.FLOAT, str: Kind.STR, tuple: Kind.SEQUENCE}
    if value is None:
        return Kind.NONE
    if isinstance(value, TorchName):
        is_dtype = torch_facts().kind(value.name)
        return Kind.DTYPE if is_dtype is not None and is_dtype.value == "dtype" else Kind.OTHER
    return kinds.get(type(value), Kind.OTHER)


def usage_of(
    text: str, kinds: dict[str, Kind] | None = None, confidence: Confidence = Confidence.PROVED
) -> FileUsage:
    """The uses and imports of `text`; `kinds` gives the kinds of variables."""
    walk = _Walk(text, kinds or {}, confidence)
    walk.run(parse_tree(text))
    return FileUsage(tuple(walk.uses), tuple(walk.imports), frozenset(walk.bound))


def rewrites_of(
    text: str, usage: FileUsage, index: MappingIndex, target: Target = CPU, torch=None, mindspore=None
) -> list[Rewrite]:
    """The rewrites of all uses."""
    torch = torch or torch_facts()
    mindspore = mindspore or mindspore_facts(target.version)
    lines = LineIndex(text)
    found = []
    for use in usage.uses:
        if use.form is Form.IMPORT:  # imports follow from what their names become
            continue
        judgement = judge(use, target, index, torch, mindspore)
        found += propose(use, judgement, lines, torch, mindspore)
    return found


class AnyDevice:
    """The facts without what they say of devices: a run counts more, and this is no place for it."""

    def __init__(self, facts) -> None:
        self.has, self.signatures, self.deprecation = facts.has, facts.signatures, facts.deprecation

    def devices(self, name: str) -> None:
        return None

    def has_kernel(self, name: str, device: Device) -> None:
        return None


def rewritten(
    text: str,
    index: MappingIndex,
    target: Target = CPU,
    kinds: dict[str, Kind] | None = None,
    confidence: Confidence = Confidence.PROVED,
    newline: str = "\n",
) -> str:
    """`text` with every rewrite made, as fix-all with unsafe fixes does it."""
    usage = usage_of(text, kinds, confidence)
    facts = AnyDevice(mindspore_facts(target.version))
    edits = compose(text, rewrites_of(text, usage, index, target, mindspore=facts), usage)
    return apply_edits(text, edits, newline)
