"""The names that the code of a project writes as strings, or its configuration as values, which `getattr(nn, name)` may
look up. Where code writes none of an optimizer, or none of a scheduler, it may be any of them."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from mindport.registry.torch import TorchKind, torch_facts
from mindport.source.helper_heading import is_helper_module
from mindport.usage.api_use import ApiUse, Form
from mindport.usage.names_put_together import pattern_of_name

_QUOTED = re.compile(  # those behind `__name__` are of helpers in converted texts
    r"""(?<!__name__ = )(["'])((?:nn\.)?[A-Za-z_]\w*)(?:\([^\n"']*\))?\1"""
)
_OF_DTYPES = re.compile(r"dtype|precision")
_USUAL_DTYPES = {"bfloat16", "float16", "float32", "float64"}
_LOOKED_UP = frozenset(
    (
        TorchKind.FUNCTION,
        TorchKind.CLASS,
        TorchKind.MODULE_CLASS,
        TorchKind.OPTIMIZER_CLASS,
        TorchKind.SCHEDULER_CLASS,
        TorchKind.DTYPE,
    )
)

# Modules whose names projects look up in a value; of torch itself too many names are words.
_NAMESPACES = ("torch.nn", "torch.optim", "torchvision")
_CONFIGURED = {
    "torch.optim": TorchKind.OPTIMIZER_CLASS,
    "torch.optim.lr_scheduler": TorchKind.SCHEDULER_CLASS,
}


EVALUATES, LAYERS = "eval", "nn"


def is_evaluation(call: ast.Call) -> bool:
    """Whether a call evaluates a string that is not written there, among the names of the file: `eval(kind)` gives a
    layer of torch where the string is `nn.Upsample`."""
    match call:
        case ast.Call(func=ast.Name(id="eval"), args=[argument], keywords=[]):
            return not isinstance(argument, (ast.Constant, ast.Starred))
    return False


class NamesInStrings:
    """The answer for the files of one project."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._files: dict[str, frozenset[str]] = {}
        self._found: dict[str, tuple[str, ...]] = {}  # by the module that they are in
        self._configured = frozenset[str]()

    def note(self, path: str) -> None:
        """Take notice that a file has a new text, or is gone."""
        self._files.pop(path, None)
        self._found.clear()

    def configure(self, words: frozenset[str]) -> None:
        """Let the words of the project's configuration count, too."""
        self._configured = words
        self._found.clear()

    def looked_up(self, uses: Iterable[ApiUse]) -> dict[tuple[str, str], tuple[str, ...]]:
        """The names that uses may look up, by the torch modules in which they do and the text of the name."""
        asked = {(use.api, use.detail) for use in uses if use.form is Form.DYNAMIC}
        return {(module, name): self._names_that(module, name) for module, name in asked}

    def _names_that(self, module: str, name: str) -> tuple[str, ...]:
        """The names in a module that the expression `name` may give."""
        if _is_evaluated(name):
            return self._evaluated(module)
        return self._put_together(module, name) or self._names_of(module)

    def _evaluated(self, module: str) -> tuple[str, ...]:
        """The names in a module that strings have with its own: `nn.Upsample`."""
        known = self._configured.union(*map(self._words, self._texts))
        start = f"{LAYERS}."
        words = (word.removeprefix(start) for word in known if word.startswith(start))
        return tuple(sorted(_names_among(words, module)))

    def _put_together(self, module: str, name: str) -> tuple[str, ...]:
        """The names that an expression such as `f"Conv{axes}d"` may give; those of which the parts that it computes are
        numbers or words of the project, if there are any. Empty where it says nothing of the name."""
        pattern = pattern_of_name(name)
        if pattern is None:
            return ()
        fitting = {one: found.groups() for one in _names_in(module) if (found := pattern.fullmatch(one))}
        known = self._configured.union(*map(self._words, self._texts))
        likely = [
            one for one, parts in fitting.items() if all(part.isdigit() or part in known for part in parts)
        ]
        return tuple(sorted(likely or fitting))

    def names_layers(self) -> bool:
        """Whether any string is the name of a layer or an optimizer of torch."""
        return any(map(self._written, ("torch.nn", "torch.optim")))

    def _names_of(self, module: str) -> tuple[str, ...]:
        written = self._written(module)
        if module in _CONFIGURED:
            return written or _all_of(module)
        return tuple(sorted({*written, *_names_among(self._configured, module)}))

    def _written(self, module: str) -> tuple[str, ...]:
        found = self._found.get(module)
        if found is None:
            words = frozenset[str]().union(*map(self._words, self._texts))
            found = self._found[module] = tuple(sorted(_names_among(words, module)))
        return found

    def _words(self, path: str) -> frozenset[str]:
        words = self._files.get(path)
        if words is None:
            text = self._texts[path]
            found = () if is_helper_module(text) else _QUOTED.finditer(text)
            words = self._files[path] = frozenset(match[2] for match in found)
        return words


@functools.cache
def _names_in(module: str) -> tuple[str, ...]:
    """The names in a module of torch that may be looked up."""
    facts, start = torch_facts(), f"{module}."
    names = (name.removeprefix(start) for name in facts.names() if name.startswith(start))
    return tuple(name for name in names if name.isidentifier() and facts.kind(start + name) in _LOOKED_UP)


def _names_among(words: Iterable[str], module: str) -> Iterator[str]:
    facts = torch_facts()
    return (word for word in words if facts.kind(f"{module}.{word}") in _LOOKED_UP)


def is_looked_up_in(api: str) -> bool:
    """Whether a name of torch is a module that a project hands on in order to look names up in it."""
    is_among = any(api == one or api.startswith(f"{one}.") for one in _NAMESPACES)
    return is_among and torch_facts().kind(api) is TorchKind.MODULE


@functools.cache
def _all_of(module: str) -> tuple[str, ...]:
    """The optimizers or schedulers in a module that has nothing else to look up."""
    kind = _CONFIGURED.get(module)
    facts = torch_facts()
    named = [name for name in facts.class_names() if facts.kind(name) is kind] if kind else []
    names = [name.removeprefix(f"{module}.") for name in named if set(facts.bases(name)) & set(named)]
    return tuple(sorted(name for name in names if name.isidentifier() and not name.startswith("_")))


def _that_may_be(use: ApiUse, names: Iterable[str]) -> set[str]:
    """Which of the names a use may look up: `getattr(torch, config.dtype)` gives a dtype, one of the usual ones where
    the project writes no other."""
    found = {*use.names, *names}
    if use.api != "torch" or not _OF_DTYPES.search(use.detail):
        return found
    facts = torch_facts()
    return {name for name in found if facts.kind(f"torch.{name}") is TorchKind.DTYPE} | _USUAL_DTYPES


def _is_evaluated(name: str) -> bool:
    """Whether the text of what is looked up is a call that evaluates a string."""
    return name.startswith(f"{EVALUATES}(")


def with_names(
    uses: Iterable[ApiUse], names: Mapping[tuple[str, str], tuple[str, ...]]
) -> tuple[ApiUse, ...]:
    """The uses, where each that looks a name up has those that it may be. Without those that evaluate a string where no
    string has such a name."""
    uses = (use for use in uses if not _is_evaluated(use.detail) or names.get((use.api, use.detail)))
    return tuple(
        msgspec.structs.replace(use, names=tuple(sorted(_that_may_be(use, names[use.api, use.detail]))))
        if use.form is Form.DYNAMIC
        else use
        for use in uses
    )
