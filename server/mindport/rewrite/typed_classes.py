"""Writes `isinstance(x, torch.LongTensor)` as the question for its dtype that it is: MindSpore has one class of
tensors. Of `type(x) in (torch.Tensor, torch.LongTensor)` only what a tensor is of stays. The result is torch, still."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.rewrite.spans import end_of, start_of, written_of
from mindport.rewrite.text_edits import TextEdit, edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node
from mindport.usage.called_names import is_type_of

_DTYPES = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "BFloat16Tensor": "bfloat16",
    "ByteTensor": "uint8",
    "CharTensor": "int8",
    "ShortTensor": "int16",
    "IntTensor": "int32",
    "LongTensor": "int64",
    "BoolTensor": "bool",
}


def typed_class_tests(text: str) -> list[TextEdit]:
    """The edits that ask for dtypes instead; none where the text does not parse. A test for the class of a GPU alone
    also asks where the tensor lies."""
    if "torch" not in text or ("isinstance" not in text and "Tensor" not in text):
        return []
    return edits_of_tree(text, _edits_of_tree)


def _edits_of_tree(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    names = _names_of_torch(tree)
    for node in every_node(tree):
        yield from _edits(node, lines, names)


def _names_of_torch(tree: ast.Module) -> frozenset[str]:
    """What the file calls torch: `import torch as th`."""
    imports = (node for node in every_node(tree) if isinstance(node, ast.Import))
    return frozenset({
        alias.asname or "torch" for node in imports for alias in node.names if alias.name == "torch"
    }) | {"torch"}  # fmt: skip


def _edits(parent: ast.AST, lines: LineIndex, names: frozenset[str]) -> Iterator[TextEdit]:
    for field, child in ast.iter_fields(parent):
        for node in child if isinstance(child, list) else [child]:
            match node:
                case ast.Call(func=ast.Name(id="isinstance"), args=[value, classes], keywords=[]):
                    question = _question(value, classes, names)
                    if question:
                        is_whole = field in ("test", "value") and not isinstance(parent, ast.keyword)
                        new = question if is_whole else f"({question})"
                        yield TextEdit(start_of(node, lines), end_of(node, lines), new)
                case ast.Compare(
                    left=asked,
                    ops=[ast.In() | ast.NotIn()],
                    comparators=[ast.Tuple() | ast.List() | ast.Set() as classes],
                ) if is_type_of(asked):
                    yield from _only_real(classes, lines, names)


def _only_real(
    classes: ast.Tuple | ast.List | ast.Set, lines: LineIndex, names: frozenset[str]
) -> Iterator[TextEdit]:
    """Leaves out the classes that `type` gives for no tensor, if another one stays."""
    real = [one for one in classes.elts if not _dtype(ast.unparse(one), names)]
    if real and len(real) < len(classes.elts):
        # Between the brackets.
        start, end = start_of(classes, lines) + 1, end_of(classes, lines) - 1
        inner = ", ".join(written_of(one, lines) for one in real)
        comma = "," if isinstance(classes, ast.Tuple) and len(real) == 1 else ""
        yield TextEdit(start, end, inner + comma)


def _question(value: ast.expr, classes: ast.expr, names: frozenset[str]) -> str:
    """The question for dtypes; empty where there is none to ask, or where `value` would be computed more than once."""
    if not _is_place(value):
        return ""
    named = list(map(ast.unparse, classes.elts if isinstance(classes, ast.Tuple) else [classes]))
    others = [name for name in named if not _dtype(name, names)]
    typed = [name for name in named if _dtype(name, names)]
    dtypes = list(dict.fromkeys(_dtype(name, names) for name in typed))
    if not typed:
        return ""
    what, torch = ast.unparse(value), typed[0].partition(".")[0]
    among = f"== {dtypes[0]}" if len(dtypes) == 1 else f"in ({', '.join(dtypes)})"
    where = f" and {what}.is_cuda" if all(".cuda." in name for name in typed) else ""
    question = f"isinstance({what}, {torch}.Tensor){where} and {what}.dtype {among}"
    if not others:
        return question
    other = others[0] if len(others) == 1 else f"({', '.join(others)})"
    return f"isinstance({what}, {other}) or ({question})"


def _dtype(name: str, names: frozenset[str]) -> str:
    """The dtype of a class such as `torch.cuda.LongTensor`; empty for any other one."""
    owner, _, last = name.rpartition(".")
    torch = owner.removesuffix(".cuda")
    return f"{torch}.{_DTYPES[last]}" if torch in names and last in _DTYPES else ""


def _is_place(value: ast.expr) -> bool:
    """Whether a value is read from where it is kept: `x`, `self.x`, `batch[0]`."""
    while isinstance(value, (ast.Attribute, ast.Subscript)):
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, (ast.Name, ast.Constant)):
            return False
        value = value.value
    return isinstance(value, ast.Name)
