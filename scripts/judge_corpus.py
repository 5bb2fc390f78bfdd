#!/usr/bin/env python3
"""Compares what the forward machine knows of the programs in tests/semantics/corpus with what Python does.

    scripts/judge_corpus.py [--torch] [NAME ...] [--list]

Each program runs in Python, once for each combination of what `# given:` says; its answers are the global names that
begin with `answer`, of a module of torch the number of its parameters. The machine gets the text alone; what is given
it does not know. An answer is `known` where it is Python's, or unknown where Python's depends on what is given;
`unknown` where nobody need have doubted; `wrong` where it is not Python's, which must never be. With `--torch` the
programs that use torch run, which needs it; without it the others. `--list` names the answers that are not known."""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import itertools
import re
import runpy
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mindport.semantics.domains.construction.counts import count, is_module
from mindport.semantics.domains.construction.domain import Construction
from mindport.semantics.flow.budget import BudgetSpent
from mindport.semantics.flow.frame import Frame
from mindport.semantics.flow.imports import module
from mindport.semantics.flow.machine import Machine
from mindport.semantics.flow.objects import Sequence, Table
from mindport.semantics.flow.values import OUTSIDE, Ref, is_plain
from mindport.source.syntax import parse_tree
from mindport.usage.recipe.built import ProjectSources

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "semantics" / "corpus"
_GIVEN = re.compile(r"^# given: (\w+) in (.*)$", re.MULTILINE)
_PYTHON = re.compile(r"^# python: (\d+)\.(\d+)$", re.MULTILINE)
_NOT_KNOWN = object()


class Program(NamedTuple):
    """A program of the corpus: one file, or a folder with a `main.py`."""

    topic: str
    path: Path

    @property
    def main(self) -> Path:
        """The file that runs."""
        return self.path / "main.py" if self.path.is_dir() else self.path

    @property
    def files(self) -> dict[str, str]:
        """The text of each file by its path in the program."""
        found = sorted(self.path.rglob("*.py")) if self.path.is_dir() else [self.path]
        return {
            file.relative_to(self.main.parent).as_posix(): file.read_text(encoding="utf-8") for file in found
        }

    @property
    def needs_torch(self) -> bool:
        """Whether it uses torch."""
        return self.topic.startswith("torch")

    @property
    def runs_here(self) -> bool:
        """Whether this Python is new enough for its syntax."""
        wanted = _PYTHON.search(self.main.read_text(encoding="utf-8"))
        return wanted is None or sys.version_info[:2] >= (int(wanted[1]), int(wanted[2]))

    @property
    def given(self) -> dict[str, tuple[Any, ...]]:
        """What is given, with all its values."""
        return {name: ast.literal_eval(values) for name, values in _GIVEN.findall(self.files[self.main.name])}


class Answer(NamedTuple):
    """One answer of a program: `known`, `unknown` or `wrong`; what the machine says, and Python for each given
    value."""

    name: str
    verdict: str
    said: Any
    real: list[Any]


class _Given(Construction):
    """Construction where some names have a value that nobody knows."""

    def __init__(self, names: Iterator[str] | Mapping[str, Any]) -> None:
        self._names = frozenset(names)

    def name(self, frame: Frame, name: str) -> Any:
        return OUTSIDE if name in self._names else super().name(frame, name)


def programs(needs_torch: bool) -> list[Program]:
    """The programs of the corpus that can run here."""
    found = [
        Program(topic.name, path)
        for topic in sorted(CORPUS.iterdir())
        for path in sorted(topic.iterdir())
        if topic.is_dir() and path.name != "__pycache__"
    ]
    return [one for one in found if one.needs_torch == needs_torch and one.runs_here]


def judged(program: Program) -> list[Answer]:
    """Each answer of a program, with what it is worth."""
    said, given = machine_answers(program), program.given
    runs = [
        python_answers(program, dict(zip(given, values, strict=True)))
        for values in itertools.product(*given.values())
    ]
    found = []
    for name in runs[0]:
        real = [run.get(name) for run in runs]
        answer = said.get(name, _NOT_KNOWN)
        if answer is not _NOT_KNOWN:
            verdict = "known" if all(_is_same(answer, one) for one in real) else "wrong"
        else:
            verdict = "unknown" if all(_is_same(real[0], one) for one in real) else "known"
        found.append(Answer(name, verdict, None if answer is _NOT_KNOWN else answer, real))
    return found


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


def python_answers(program: Program, given: Mapping[str, Any]) -> dict[str, Any]:
    """What Python answers with these values given."""
    folder = program.main.parent
    sys.path.insert(0, str(folder))
    before = set(sys.modules)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            names = runpy.run_path(str(program.main), init_globals=dict(given), run_name="__main__")
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(CORPUS)):
                del sys.modules[name]
    return {name: _asked(value) for name, value in names.items() if name.startswith("answer")}


def _asked(value: Any) -> Any:
    """Of a module of torch the number of its parameters; anything else as it is."""
    if hasattr(value, "parameters") and not isinstance(value, type):
        return sum(parameter.numel() for parameter in value.parameters())
    return value


def machine_answers(program: Program) -> dict[str, Any]:
    """What the machine knows of the answers; those that it does not know are missing."""
    trees = {path: parse_tree(text) for path, text in program.files.items()}
    m = Machine(ProjectSources(trees), _Given(program.given))
    try:
        namespace = module(m, program.main.name, "__main__")
    except BudgetSpent:
        return {}
    found = {}
    for name, value in m.heap.read(namespace).names.items():
        told = _told(m, value) if name.startswith("answer") else _NOT_KNOWN
        if told is not _NOT_KNOWN:
            found[name] = told
    return found


def _told(m: Machine, value: Any) -> Any:
    if is_module(m, value):
        number = count(m, value)
        return _NOT_KNOWN if number is None else number
    if is_plain(value):
        return value
    thing = m.heap.read(value) if isinstance(value, Ref) else None
    if isinstance(value, tuple):
        parts = [_told(m, one) for one in value]
        return _NOT_KNOWN if _NOT_KNOWN in parts else tuple(parts)
    if isinstance(thing, Sequence) and thing.items is not None and thing.kind == "list":
        parts = [_told(m, one) for one in thing.items]
        return _NOT_KNOWN if any(one is _NOT_KNOWN for one in parts) else parts
    if isinstance(thing, Table) and thing.items is not None:
        if thing.kind == "set":
            return set(thing.items) if all(is_plain(one) for one in thing.items) else _NOT_KNOWN
        table = {key: _told(m, one) for key, one in thing.items.items()}
        is_told = thing.kind == "dict" and thing.default is None
        return _NOT_KNOWN if not is_told or any(one is _NOT_KNOWN for one in table.values()) else table
    return _NOT_KNOWN


def main() -> int:
    """Print the table; 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only programs whose path has one of these in it")
    parser.add_argument("--torch", action="store_true", help="the programs that use torch")
    parser.add_argument("--list", action="store_true", help="name the answers that are not known")
    options = parser.parse_args()
    totals: dict[str, Counter[str]] = {}
    for program in programs(options.torch):
        where = f"{program.topic}/{program.path.name}"
        if options.names and not any(name in where for name in options.names):
            continue
        counts = totals.setdefault(program.topic, Counter())
        counts["programs"] += 1
        for answer in judged(program):
            counts[answer.verdict] += 1
            if answer.verdict == "wrong" or (options.list and answer.verdict == "unknown"):
                print(
                    f"{answer.verdict}: {where} {answer.name}: {answer.said!r}, Python: {answer.real[0]!r}"[
                        :160
                    ]
                )
    print(f"{'topic':<20} {'programs':>8} {'known':>6} {'unknown':>8} {'wrong':>6}")
    everything = sum(totals.values(), Counter())
    for topic, counts in [*totals.items(), ("all", everything)]:
        print(
            f"{topic:<20} {counts['programs']:>8} {counts['known']:>6} {counts['unknown']:>8} {counts['wrong']:>6}"
        )
    return 1 if everything["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
