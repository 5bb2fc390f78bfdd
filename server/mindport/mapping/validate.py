"""Checks a mapping for what its types cannot say: cases no call can reach, unknown converters,
contradictions, templates that are no Python, claims without a run. Needs no framework facts; facts_check.py
holds what does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from mindport.mapping.converters import CONVERTERS
from mindport.mapping.helper_source import helper_problem
from mindport.mapping.match import KINDS_OF_USE
from mindport.mapping.names import listed_names
from mindport.mapping.problem import MappingProblem, did_you_mean
from mindport.mapping.schema import ArgumentRule, Case, Forms, Mapping, Predicate
from mindport.mapping.template import DECORATED, read_template
from mindport.model.target import Version
from mindport.usage.api_use import Kind, ResultUse

KINDS = frozenset(kind.value for kind in Kind)
RESULTS = frozenset(result.value for result in ResultUse)


def check_mapping(mapping: Mapping, file: str) -> tuple[MappingProblem, ...]:
    """Everything wrong with one mapping, in the order of its keys."""
    problems = [MappingProblem(file, path, message) for path, message in _problems(mapping)]
    return tuple(problems)


def unproved_safe_cases(mapping: Mapping) -> tuple[int, ...]:
    """The cases that claim `fix: safe` with no agreeing run behind them on any device, in PyNative where they are for
    both modes."""
    proved = {(e.case, e.mode) for e in mapping.evidence if e.is_proof}
    return tuple(
        number
        for number, case in enumerate(mapping.cases)
        if case.fix == "safe" and (number, _first_mode(case)) not in proved
    )


def _first_mode(case: Case) -> str:
    return "graph" if case.modes == ["graph"] else "pynative"


def _problems(mapping: Mapping) -> Iterator[tuple[str, str]]:
    names = listed_names(mapping.torch)
    if not names:
        yield "torch", "lists no name"
    for name, form in names:
        if not name or name.split(".")[0] not in ("torch", "torchvision", "torchaudio", "torch_npu"):
            yield f"torch.{form}", f"{name!r} is no dotted torch name"
    if not mapping.cases:
        yield "cases", "at least one is needed"
    forms = {form for _, form in names}
    for index, case in enumerate(mapping.cases):
        for path, message in _case_problems(case, forms):
            yield f"cases[{index}]{path}", message
        earlier = next((i for i in range(index) if _covers(mapping.cases[i], case)), None)
        if earlier is not None:
            yield f"cases[{index}]", f"never reached: cases[{earlier}] answers every call that fits it"
    for index, example in enumerate(mapping.examples):
        if example.case is not None and not 0 <= example.case < len(mapping.cases):
            yield f"examples[{index}].case", f"there is no case {example.case}"
        for key, source in (("before", example.before), ("after", example.after)):
            try:
                ast.parse(source)
            except SyntaxError as error:
                yield f"examples[{index}].{key}", f"no Python: {error.msg}"
        if example.compare == "none" and not example.reason:
            yield f"examples[{index}].reason", "compare: none needs a reason"


def _case_problems(case: Case, forms: Set[Forms]) -> Iterator[tuple[str, str]]:
    if case.call is not None and case.rewrite is not None:
        yield "", "has both `call` and `rewrite`; one of them says what to write"
    if case.helper is not None:
        yield from _helper_problems(case)
    if case.verdict == "none":
        if case.call or case.rewrite:
            yield "", "verdict none has nothing to write: leave out `call` and `rewrite`"
        if not case.why and not case.tried:
            yield ".why", "verdict none needs `why` or `tried`"
    elif case.policy is not None:
        yield ".policy", "only verdict none has a policy"
    writes = case.call or case.rewrite or case.helper
    if case.fix != "display" and not writes and case.verdict != "same":
        yield ".fix", f"fix: {case.fix} with nothing to write: needs `call`, `rewrite` or `helper`"
    if case.rewrite is not None and case.add:
        yield "", "`add` belongs to `call`; a `rewrite` says itself what is added"
    if case.rewrite is not None:
        for name, rule in case.args.items():
            if isinstance(rule, str) or rule.to is not None:
                yield (
                    f".args.{name}",
                    "`to` belongs to `call`; a `rewrite` names the argument itself",
                )
    for form in case.forms:
        if form not in forms:
            yield ".forms", f"the file lists no {form}"
    if case.call is not None and not all(part.isidentifier() for part in case.call.split(".")):
        yield ".call", f"{case.call!r} is no dotted name; write templates under `rewrite`"
    if case.rewrite is not None:
        try:
            read_template(case.rewrite)
        except ValueError as error:
            yield ".rewrite", str(error)
    for index, statement in enumerate(case.imports):
        if not _is_import(statement):
            yield f".imports[{index}]", f"{statement!r} is no import statement"
    for name, condition in case.when.items():
        yield from _condition_problems(name, condition)
    for name, rule in case.args.items():
        if isinstance(rule, ArgumentRule):
            yield from _rule_problems(name, rule)
    for name, source in case.add.items():
        if not _is_expression(source):
            yield f".add.{name}", f"{source!r} is no expression"


def _helper_problems(case: Case) -> Iterator[tuple[str, str]]:
    if case.call or case.rewrite or case.args or case.add:
        yield ".helper", "takes the arguments as they are: no `call`, `rewrite`, `args` or `add`"
    refusals = (False, Predicate(passed=False))
    if any(value not in refusals for value in case.when.values()) or case.verdict == "none":
        yield (
            ".helper",
            "serves where nothing else can be written: it has no conditions but what must be false (`$call`, "
            "`requires_grad`) or not passed, and is no verdict none",
        )
    problem = helper_problem(case.helper or "")
    if problem:
        yield ".helper", problem


def _condition_problems(name: str, condition: object) -> Iterator[tuple[str, str]]:
    if name in KINDS_OF_USE:
        if not isinstance(condition, bool):
            yield f".when.{name}", "takes true or false"
        return
    if name == "$result":
        wanted = _wanted(condition)
        for word in wanted:
            if word not in RESULTS:
                yield ".when.$result", f"unknown value {word!r}{did_you_mean(str(word), RESULTS)}"
        if not wanted:
            yield ".when.$result", "takes a value, `equals`, `one_of` or `not_in`"
        return
    if not isinstance(condition, Predicate):
        return
    if condition == Predicate():
        yield f".when.{name}", "says nothing"
    kinds = condition.kind if isinstance(condition.kind, (str, list)) else ()
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        if kind not in KINDS:
            yield f".when.{name}.kind", f"unknown kind {kind!r}{did_you_mean(kind, KINDS)}"


def _wanted(condition: object) -> list[object]:
    if not isinstance(condition, Predicate):
        return [condition]
    listed = [values for values in (condition.one_of, condition.not_in) if isinstance(values, list)]
    single = [condition.equals] if isinstance(condition.equals, str) else []
    return single + [value for values in listed for value in values]


def _rule_problems(name: str, rule: ArgumentRule) -> Iterator[tuple[str, str]]:
    if rule == ArgumentRule():
        yield f".args.{name}", "says nothing"
    if rule.convert is not None and rule.convert not in CONVERTERS:
        known = did_you_mean(rule.convert, CONVERTERS) or f" (known: {', '.join(CONVERTERS)})"
        yield f".args.{name}.convert", f"unknown converter {rule.convert!r}{known}"
    if rule.drop and (rule.to or rule.convert or rule.values or rule.report or rule.drop_when is not None):
        yield f".args.{name}", "`drop` stands alone: a dropped argument has no other rule"
    if rule.report is not None and rule.to:
        yield f".args.{name}", "`report` says there is no counterpart, `to` names one"
    for source in (
        *rule.values,
        *rule.values.values(),
        *([rule.default] if rule.default is not None else []),
    ):
        if not _is_expression(source):
            yield f".args.{name}", f"{source!r} is no expression: texts are quoted twice, \"'mean'\""


def _is_expression(source: str) -> bool:
    try:
        ast.parse(source.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def _is_import(source: str) -> bool:
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return False
    return len(body) == 1 and isinstance(body[0], (ast.Import, ast.ImportFrom))


def _covers(earlier: Case, later: Case) -> bool:
    """Whether `earlier` answers everything `later` could: no condition that `later` does not have too, and
    at least its forms, devices, modes and versions."""
    if earlier.helper or later.helper:
        return False  # a helper serves where the cases of the file fail
    if earlier.rewrite == DECORATED:
        return False  # only decorators are left out
    if later.when.get("$call") is False and "$call" not in earlier.when:
        return False  # what is said of a name that is handed on goes first
    if any(name not in later.when or later.when[name] != want for name, want in earlier.when.items()):
        return False
    for wide, narrow in (
        (earlier.forms, later.forms),
        (earlier.devices, later.devices),
        (earlier.modes, later.modes),
    ):
        if wide and (not narrow or not set(narrow) <= set(wide)):
            return False
    if earlier.since and (later.since is None or Version.parse(later.since) < Version.parse(earlier.since)):
        return False
    return not earlier.until or (
        later.until is not None and Version.parse(later.until) <= Version.parse(earlier.until)
    )
