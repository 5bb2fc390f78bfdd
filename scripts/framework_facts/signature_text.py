"""Signatures as one line of text, `(input: Tensor, dim: int = 0, *, out=None) -> Tensor`, from any source of
them: stub files, `inspect`, or the first lines of a docstring. The registry parses these lines again."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

PREFIXES = re.compile(
    r"\b(?:typing|typing_extensions|collections\.abc|builtins|_C|torch\.types|torch\._C|types)\."
)
PRIVATE_NAMES = re.compile(r"\b_(int|float|bool|complex|dtype|device|layout|qscheme|size|Number)\b")
TORCH_TYPES = re.compile(
    r"\btorch\.(Tensor|Size|dtype|device|layout|Generator|SymInt|memory_format|return_types)\b"
)
FORWARD = re.compile(r"ForwardRef\('([\w.]+)'\)")
TENSOR_MODULES = re.compile(r"\b(?:torch\._tensor|mindspore\.common\.tensor)\.Tensor\b")


def tidy_annotation(text: str) -> str:
    """The annotation without module prefixes, quotes and line breaks; empty if it cannot be read again."""
    text = " ".join(text.split())
    if text.startswith("<class '"):
        text = text[8:-2]
    text = TENSOR_MODULES.sub("Tensor", text)
    text = TORCH_TYPES.sub(r"\1", PRIVATE_NAMES.sub(r"\1", PREFIXES.sub("", text)))
    text = FORWARD.sub(r"\1", text.replace("~", ""))
    if text[:1] in "'\"":
        text = text.strip("'\"")
    return text if readable(text) else ""


def readable(text: str) -> bool:
    """Whether `text` is one Python expression."""
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def is_signature(line: str) -> bool:
    """Whether the line can be read as the head of a function; that of some builtins cannot."""
    try:
        ast.parse(f"def f{line}: ...")
    except SyntaxError:
        return False
    return True


def default_text(value: Any) -> str:
    """Source text of a default value, `...` where the object has none."""
    if inspect.isclass(value) or inspect.isroutine(value):
        module, name = getattr(value, "__module__", "") or "", getattr(value, "__qualname__", "")
        text = f"{module}.{name}".replace("builtins.", "")
    else:
        text = repr(value)
    return text if len(text) < 120 and readable(text) and " object at " not in text else "..."


def of_arguments(arguments: ast.arguments, returns: ast.expr | None, *, drop_first: bool = False) -> str:
    """The line for a function of a stub file; `drop_first` leaves out `self`."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    parts: list[str] = []
    for index, (argument, default) in enumerate(
        zip(positional, [*defaults, *arguments.defaults], strict=True)
    ):
        if not (drop_first and index == 0):
            parts.append(_parameter(argument.arg, argument.annotation, default))
        if arguments.posonlyargs and index + 1 == len(arguments.posonlyargs) and parts:
            parts.append("/")
    if arguments.vararg:
        parts.append(_parameter("*" + arguments.vararg.arg, arguments.vararg.annotation, None))
    elif arguments.kwonlyargs:
        parts.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parts.append(_parameter(argument.arg, argument.annotation, default))
    if arguments.kwarg:
        parts.append(_parameter("**" + arguments.kwarg.arg, arguments.kwarg.annotation, None))
    return _line(parts, tidy_annotation(ast.unparse(returns)) if returns is not None else "")


def _parameter(name: str, annotation: ast.expr | None, default: ast.expr | None) -> str:
    kind = tidy_annotation(ast.unparse(annotation)) if annotation is not None else ""
    value = PRIVATE_NAMES.sub(r"torch.\1", ast.unparse(default)) if default is not None else ""
    return _spelled(name, kind, value)


def _spelled(name: str, annotation: str, default: str) -> str:
    if annotation and default:
        return f"{name}: {annotation} = {default}"
    return f"{name}: {annotation}" if annotation else f"{name}={default}" if default else name


def _line(parts: list[str], returns: str) -> str:
    return f"({', '.join(parts)})" + (f" -> {returns}" if returns else "")


def of_inspected(signature: inspect.Signature, *, drop_first: bool = False) -> str:
    """The line for a Python function as `inspect` sees it."""
    parts: list[str] = []
    parameters = list(signature.parameters.values())[1 if drop_first else 0 :]
    seen_star = False
    for index, parameter in enumerate(parameters):
        if parameter.kind is parameter.KEYWORD_ONLY and not seen_star:
            parts.append("*")
            seen_star = True
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        seen_star = seen_star or stars == "*"
        annotation, default = "", ""
        if parameter.annotation is not parameter.empty:
            annotation = tidy_annotation(inspect.formatannotation(parameter.annotation))
        if parameter.default is not parameter.empty:
            default = default_text(parameter.default)
        parts.append(_spelled(stars + parameter.name, annotation, default))
        following = parameters[index + 1 : index + 2]
        if parameter.kind is parameter.POSITIONAL_ONLY and not (
            following and following[0].kind is parameter.POSITIONAL_ONLY
        ):
            parts.append("/")
    returns = ""
    if signature.return_annotation is not signature.empty:
        returns = tidy_annotation(inspect.formatannotation(signature.return_annotation))
    return _line(parts, returns)


def of_docstring(name: str, text: object) -> list[str]:
    """The lines that a docstring starts with, `name(input, *, out=None) -> Tensor`; empty if it has none."""
    found: list[str] = []
    pattern = re.compile(
        rf"^\s*(?:[\w.]+\.)?{re.escape(name)}\s*\((?P<arguments>.*?)\)\s*(?:->\s*(?P<returns>.+?))?\s*$"
    )
    for line in (text if isinstance(text, str) else "").strip().replace("\\*", "*").splitlines()[:8]:
        match = pattern.match(line)
        if match is None:
            continue
        returns = match["returns"] or ""
        if not readable(returns or "None"):
            returns = ""
        try:
            node = ast.parse(f"def f({_repaired(match['arguments'])}): ...").body[0]
        except SyntaxError:
            continue
        assert isinstance(node, ast.FunctionDef)
        arguments = node.args
        drop = bool(arguments.args) and arguments.args[0].arg == "self"
        found.append(
            of_arguments(
                arguments, ast.parse(returns, mode="eval").body if returns else None, drop_first=drop
            )
        )
    return list(dict.fromkeys(found))


def with_defaults(line: str, documented: list[str]) -> str:
    """The line with each default `...` replaced by the one a documented line gives for that parameter."""

    def known(match: re.Match[str]) -> str:
        for other in documented:
            value = re.search(rf"[(, ]{match[1]}=([^,)]+)", other)
            if value:
                return f"{match[1]}: {match[2]} = {value[1]}"
        return match[0]

    return re.sub(r"(\w+): ([^,=]+) = \.\.\.", known, line)


def _repaired(arguments: str) -> str:
    """Docstrings write `size...` for varargs and `[, x]` for optional arguments."""
    arguments = re.sub(r"\b(\w+)\.\.\.", r"*\1", arguments)
    arguments = re.sub(r"\[\s*,\s*([\w=.]+)\s*\]", r", \1", arguments)
    return arguments
