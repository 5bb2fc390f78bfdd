"""Takes each action that the server offers at random places of real files, and counts what it changes besides what its
title names.

    check_actions.py FOLDER... [--places 200] [--seed 1]

A quick fix may change the statement at the top of the file that it is offered in; what converts a class, that class;
what fixes all of one API, the statements that use it. All of them may add imports, and definitions that are used; no
class may come to be half converted, and nothing is offered that changes nothing. Each violation is printed.
Ends with 1 where there was one."""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "lsp"))

from language_client import InnerClient, applied, edits_of, place

_ABILITIES = {
    "textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_MOST_ACTIONS = 12  # of one place


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--places", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    draw = random.Random(options.seed)
    files = [path for folder in options.folders for path in sorted(folder.rglob("*.py"))]
    draw.shuffle(files)
    counts: Counter[str] = Counter()
    try:
        for path in files:
            if counts["places"] >= options.places:
                break
            text = path.read_bytes().decode("utf-8", "replace")
            if "torch" not in text or len(text) > 60_000 or _parsed(text) is None:
                continue
            for title, kind, line, problem in actions_of_file(path, text, draw):
                counts[kind or "places"] += 1
                if problem:
                    counts["violations"] += 1
                    print(f"{path}:{line}: {title}\n    {problem}", flush=True)
    except KeyboardInterrupt:
        pass  # what was seen until then is told
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts["violations"] else 0


def actions_of_file(path: Path, text: str, draw: random.Random) -> Iterator[tuple[str, str, int, str]]:
    """Title, kind, line, and what an action changes outside, at two random places of a file; a row without title counts
    the place."""
    client = InnerClient()
    try:
        client.start(_ABILITIES)
        uri = f"file:///project/{path.name}"  # alone: what it imports would take longer than the actions
        client.open(uri, text)
        found = client.published(uri)
        for diagnostic in draw.sample(found, min(2, len(found))):
            start = diagnostic["range"]["start"]
            line = start["line"] + 1
            yield "", "", line, ""
            where = place(start["line"], start["character"])
            offered = client.actions(uri, where, ["quickfix", "refactor.rewrite", "source.fixAll"])
            for action in offered[:_MOST_ACTIONS]:
                done = action if "edit" in action else client.result("codeAction/resolve", action)
                data = action.get("data", {})
                if data.get("project") and done.get("edit"):
                    named = [one.get("textDocument", one)["uri"] for one in done["edit"]["documentChanges"]]
                    problem = "" if uri not in named else "the file itself is changed"
                    yield action["title"], action["kind"], line, problem
                    continue
                if not done.get("edit"):
                    problem = "nothing is changed" if action["kind"] == "quickfix" else ""
                    yield action["title"], action["kind"], line, problem
                    continue
                changed = applied(text, edits_of(done, uri))
                yield action["title"], action["kind"], line, outside(text, changed, line, action)
    finally:
        client.close()


def outside(before: str, after: str, line: int, action: Any) -> str:
    """What an action changed beside what its title names; empty where nothing."""
    title, data = action["title"], action.get("data", {})
    if data.get("file") is True:
        first = [one for one in after.splitlines() if "mindport: ignore-file[" not in one]
        return "" if first == before.splitlines() else "another line is changed"
    if title.startswith("Ignore "):
        return "" if _lines_but(before, line) == _lines_but(after, line) else "another line is changed"
    old, new = _parsed(before), _parsed(after)
    if old is None or new is None:
        return "the result does not parse"
    if "all" in data or data.get("convert") == "":
        return ""  # all of the file is named
    api = data.get("api") or data.get("rule")
    allowed = data.get("convert") or (None if api else _top_at(old, line))
    gone = _statements(old.body) - _statements(new.body)
    came = _statements(new.body) - _statements(old.body)
    for text in gone:
        node = ast.parse(text).body[0]
        if isinstance(node, _IMPORTS) or api:
            continue
        if _name(node) != allowed and not (allowed is None and line in _lines_of(old, text)):
            return f"changed: {text.splitlines()[0]}"
    for text in came:
        node = ast.parse(text).body[0]
        if isinstance(node, _IMPORTS):
            continue
        name = _name(node)
        is_new = name is not None and all(_name(one) != name for one in old.body)
        if is_new and not _is_used(name, new, node):
            return f"added and not used: {text.splitlines()[0]}"
    return _half(old, new, data.get("convert") or "")


def _half(old: ast.Module, new: ast.Module, converted: str) -> str:
    """Whether a class has MindSpore's method and torch's base, or the other way round, that did not before."""
    known = {one.name: one for one in old.body if isinstance(one, ast.ClassDef)}
    for node in new.body:
        if not isinstance(node, ast.ClassDef) or node.name not in known:
            continue
        if _is_half(node) and not _is_half(known[node.name]):
            return f"{node.name} is half converted: {[ast.unparse(one) for one in node.bases]}"
    return ""


def _is_half(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(one) for one in node.bases]
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    is_torch = any(base.endswith(("nn.Module", "torch.nn.Module")) for base in bases)
    is_cell = any(base.endswith("nn.Cell") for base in bases)
    return (is_torch and "construct" in methods) or (
        is_cell and "forward" in methods and "construct" not in methods
    )


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _statements(body: list[ast.stmt]) -> Counter[str]:
    return Counter(ast.unparse(one) for one in body)


def _lines_of(module: ast.Module, text: str) -> range:
    for one in module.body:
        if ast.unparse(one) == text:
            return _extent(one)
    return range(0)


def _top_at(module: ast.Module, line: int) -> str | None:
    for one in module.body:
        if line in _extent(one):
            return _name(one)
    return None


def _extent(node: ast.stmt) -> range:
    """The lines of a statement, its decorators among them."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _name(node: ast.stmt) -> str | None:
    return node.name if isinstance(node, _DEFINITIONS) else None


def _is_used(name: str | None, module: ast.Module, own: ast.stmt) -> bool:
    dump = ast.unparse(own)
    others = [one for one in module.body if ast.unparse(one) != dump]
    return any(isinstance(one, ast.Name) and one.id == name for other in others for one in ast.walk(other))


def _lines_but(text: str, line: int) -> list[str]:
    lines = text.splitlines()
    return lines[: line - 1] + lines[line:]


if __name__ == "__main__":
    sys.exit(main())
