"""Writes names of MindSpore as a hand would: by the short name that the file had for torch's module, imported by
themselves where the file imported torch's so, and initializers as MindSpore's own pages import them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from mindport.model.span import Edit, Span
from mindport.rewrite.apply import apply_edits
from mindport.rewrite.defined_helpers import own_code
from mindport.rewrite.imports import used_names
from mindport.rewrite.mindspore_imports import ImportedAs, import_edits, mindspore_imports, whole_imports
from mindport.rewrite.mindspore_modules import mindspore_modules
from mindport.rewrite.names import names_in
from mindport.rewrite.spans import span_of
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_name

_Names = tuple[str, ...]
# The module of torch whose name in the file a module of MindSpore gets, and the name that it has else.
_MODULES = {
    "mindspore.nn": ("torch.nn", ""),
    "mindspore.experimental.optim.lr_scheduler": ("torch.optim.lr_scheduler", ""),
    "mindspore.experimental.optim": ("torch.optim", "optim"),
    "mindspore.dataset.vision": ("", "vision"),
}
_BY_NAME = "mindspore.common.initializer"  # what is in it is imported name by name
_TORCH = ("torch", "torchvision", "torchaudio")


def with_short_names(before: str, text: str) -> str:
    """`text` with short names, if `before` had nothing of MindSpore. A long name stays where something else has the
    short one, the text where one of the two does not parse. Helpers stay as they are, so that they are known again."""
    if "mindspore" not in text or "mindspore" in before:
        return text
    try:
        of_torch = _names_of_torch(parse_tree(before))
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    lines = LineIndex(text)
    roots = {alias.name: alias.name for node in whole_imports(tree) for alias in node.names}
    found = list(_places(own_code(tree), roots | mindspore_modules(tree), of_torch, lines))
    if not found or not mindspore_imports(tree):
        return text
    taken = names_in(ast.unparse(own_code(tree)))
    meant: dict[str, set[ImportedAs]] = {}
    for _, short in found:
        meant.setdefault(short.local, set()).add(short)
    shortened = {
        place: short for place, short in found if short.local not in taken and len(meant[short.local]) == 1
    }
    if not shortened:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    edits = [Edit(place, short.local) for place, short in shortened.items()]
    used = used_names(parse_tree(apply_edits(text, edits)))
    return apply_edits(text, [*edits, *import_edits(tree, set(shortened.values()), used, lines)], newline)


def _names_of_torch(tree: ast.Module) -> dict[str, str]:
    """What a file imports of torch by imports of its own: local name -> dotted name."""
    found: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.Import(names=names):
                found |= {alias.asname: alias.name for alias in names if alias.asname}
            case ast.ImportFrom(module=str(module), level=0, names=names):
                found |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in names}
    return {local: name for local, name in found.items() if name.partition(".")[0] in _TORCH}


def _places(
    own: ast.Module, modules: Mapping[str, str], of_torch: Mapping[str, str], lines: LineIndex
) -> Iterator[tuple[Span, ImportedAs]]:
    """Where the code names something of MindSpore that has a short name, and that name."""
    inner: set[int] = set()
    for node in every_node(own):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        inner |= {id(one) for one in every_node(node.value)} if dotted_name(node) else set()
        parts = dotted_name(node)
        if parts is None or parts[0] not in modules:
            continue
        full = (*modules[parts[0]].split("."), *parts[1:])
        found = _short_of(full, of_torch)
        if found is None:
            continue
        length, short = found
        named: ast.expr = node
        for _ in range(len(full) - length):
            assert isinstance(named, ast.Attribute)
            if not isinstance(named.value, ast.Attribute):
                break  # the file has a name for more than that
            named = named.value
        else:
            if lines.slice(span_of(named, lines)) != short.local:
                yield span_of(named, lines), short


def _short_of(full: _Names, of_torch: Mapping[str, str]) -> tuple[int, ImportedAs] | None:
    """How many parts of a name a short one stands for, and which."""
    modules_of_torch = {module for module, _ in _MODULES.values()}
    for length in range(2, len(full) + 1):
        module, name = ".".join(full[: length - 1]), full[length - 1]
        if module == _BY_NAME:
            return length, ImportedAs(module, name, name)
        for local, meaning in of_torch.items():
            if meaning.rpartition(".")[2] == name and meaning not in modules_of_torch:
                return length, ImportedAs(module, name, local)
    for module, (torch_module, usual) in _MODULES.items():
        parts = tuple(module.split("."))
        local = next((one for one, meaning in of_torch.items() if meaning == torch_module), usual)
        if full[: len(parts)] == parts and len(full) > len(parts) and local:
            return len(parts), ImportedAs(".".join(parts[:-1]), parts[-1], local)
    return None
