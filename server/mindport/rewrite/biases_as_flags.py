"""Layers that are built after another one, `Conv2d(m.in_channels, m.out_channels, bias=m.bias)`, or by an option that
is a number, `--bias 1`: the bias of a layer without one is None, and torch's layers take None and 0 for False, where
MindSpore's refuse them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mindport.rewrite.spans import end_of, start_of
from mindport.rewrite.text_edits import TextEdit, with_edits_of_tree
from mindport.source.lines import LineIndex
from mindport.source.trees import every_node

_SIZES = "in_channels|out_channels|in_features|out_features|kernel_size|groups?|dilation"
_HANDED_ON = re.compile(rf"\b(?!self\b)(\w+)\.(?:{_SIZES})\b[^=]{{0,400}}?,\s*(?:\w+\s*=\s*)?\1\.bias\s*[,)]")
_NAME = r"(?:use[_-]?|with[_-]?|has[_-]?|no[_-]?)?bias"
# An option or an argument called so that is 0 or 1: in a table of defaults, of argparse, or by name.
_AS_NUMBER = re.compile(
    rf"""['"]-{{0,2}}{_NAME}['"][ ]*(?:\]?[ ]*[:=,])[ \n]*\(?[ ]*[01][ ]*[,)}}\n]
    |add_argument\([ \n]*['"]-{{1,2}}{_NAME}['"][^()]*?(?:type[ ]*=[ ]*int|default[ ]*=[ ]*[01])\b
    |(?<![.\w]){_NAME}[ ]*(?::[ ]*int[ ]*)?=[ ]*[01][ ]*[,)]""",
    re.VERBOSE,
)
_FLAG = "has_bias"


def hands_on_biases(texts: Iterable[str]) -> bool:
    """Whether a project hands the bias of a layer on, beside its sizes, or has a number for whether there is one."""
    return any(
        "bias" in text and (_HANDED_ON.search(text) or _AS_NUMBER.search(text)) is not None for text in texts
    )


def with_truth_values_of_biases(text: str) -> str:
    """A converted text of such a project, in which layers get truth values for what may be a bias. The same text where
    it builds none so, or where it does not parse."""
    return with_edits_of_tree(text, _edits) if f"{_FLAG}=" in text else text


def _edits(tree: ast.Module, lines: LineIndex) -> Iterator[TextEdit]:
    for node in every_node(tree):
        if isinstance(node, ast.keyword) and node.arg == _FLAG and _may_be_bias(node.value):
            start, end = start_of(node.value, lines), end_of(node.value, lines)
            yield from (TextEdit(start, start, "bool("), TextEdit(end, end, ")"))


def _may_be_bias(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and node.attr == "bias")
