"""Answers what code asks of torch before it uses it: `hasattr(torch, "compiler")`, `"silu" in dir(F)`,
`getattr(torch, "compile", None)`. Converted code does what the newest known torch does, so it has what that has. Calls
that only count for torch's authors, which library code makes in every constructor, are left out with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.model.language import say
from mindport.model.span import Span
from mindport.model.verdict import Applicability
from mindport.registry.torch import TorchFacts, torch_facts
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex

_COUNTS = "torch._C._log_api_usage_once"


def asks_for_features(text: str) -> bool:
    """Whether the text may hold such a question."""
    return "torch" in text and any(question in text for question in ("hasattr(", "getattr(", "dir(", _COUNTS))


def feature_rewrites(
    tree: ast.Module, lines: LineIndex, facts: TorchFacts | None = None
) -> tuple[Rewrite, ...]:
    """The rewrites of questions whose answer is yes: to `True`, or to the attribute itself. Torch may have what is not
    listed, so other questions stay."""
    names = _torch_names(tree)
    if not names:
        return ()
    facts = facts or torch_facts()
    return tuple(_answers(tree, names, lines, facts))


def _torch_names(tree: ast.Module) -> dict[str, str]:
    """What the imports of the file call torch's modules: local name -> dotted name."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "torch":
                    found[alias.asname or "torch"] = alias.name if alias.asname else "torch"
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if (node.module or "").partition(".")[0] == "torch":
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _answers(
    tree: ast.Module, names: dict[str, str], lines: LineIndex, facts: TorchFacts
) -> Iterator[Rewrite]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if ast.unparse(node.value.func) == _COUNTS and names.get("torch") == "torch":
                yield Rewrite(
                    span_of(node.value, lines),
                    ("pass",),
                    Applicability.SAFE,
                    say("Leave out what only counts"),
                    _COUNTS,
                )
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            arguments = node.args
            if node.func.id not in ("hasattr", "getattr") or len(arguments) < 2:
                continue
            asked = _asked(arguments[0], arguments[1], names)
            if asked is None or facts.canonical(asked) is None:
                continue
            span = span_of(node, lines)
            if node.func.id == "hasattr":
                yield _rewrite(span, ("True",), asked)
            else:
                yield _rewrite(span, (span_of(arguments[0], lines), f".{asked.rpartition('.')[2]}"), asked)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In):
            (listed,) = node.comparators
            if (
                isinstance(listed, ast.Call)
                and isinstance(listed.func, ast.Name)
                and listed.func.id == "dir"
                and len(listed.args) == 1
            ):
                asked = _asked(listed.args[0], node.left, names)
                if asked is not None and facts.canonical(asked) is not None:
                    yield _rewrite(span_of(node, lines), ("True",), asked)


def _asked(owner: ast.expr, name: ast.expr, names: dict[str, str]) -> str | None:
    """The dotted torch name that is asked for; None where the question is another one."""
    if not isinstance(name, ast.Constant) or not isinstance(name.value, str) or not name.value.isidentifier():
        return None
    parts: list[str] = []
    while isinstance(owner, ast.Attribute):
        parts.insert(0, owner.attr)
        owner = owner.value
    root = names.get(owner.id) if isinstance(owner, ast.Name) else None
    return None if root is None else ".".join((root, *parts, name.value))


def _rewrite(span: Span, pieces: tuple[str | Span, ...], api: str) -> Rewrite:
    return Rewrite(span, pieces, Applicability.SAFE, say("Answer whether torch has `{api}`", api=api), api)
