"""The fixes of a file as edits for what makes them one by one, such as viewers of reports: each with all that it cannot
do without. What is too much for that is left to `mindport fix`, with the reason."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

import msgspec

from mindport.checking.analysis import Analysed
from mindport.checking.conversion import Conversion
from mindport.checking.engine import Engine
from mindport.checking.fix_round import Fixer, touched, wanted_chains, wanted_rewrites
from mindport.checking.fixed_shapes import shape_fixes
from mindport.checking.fixing import fix_text
from mindport.checking.helper_sharing import ExistingHelpers
from mindport.checking.outcome import FileReport, WrittenFix
from mindport.checking.taken_names import Taken, taken_names
from mindport.config.rule_filter import RuleFilter
from mindport.model.finding import Finding
from mindport.model.language import later, say, translated
from mindport.model.span import Edit
from mindport.model.verdict import Applicability
from mindport.rewrite.apply import with_line_ends
from mindport.rewrite.compose import as_fix, compose
from mindport.rewrite.line_changes import line_changes
from mindport.rewrite.pieces import Rewrite
from mindport.source.discovery import full_path
from mindport.source.syntax import parse_tree, shared_trees
from mindport.source.text import SourceText
from mindport.source.trees import every_node
from mindport.usage.api_use import Form
from mindport.usage.project import Project
from mindport.usage.top_classes import class_at, is_of_class

_NOTEBOOK = later("not written out: in a notebook places are those of its cells")
_RETURNS = later("not written out: the lines of the file end with carriage returns alone")
_BROKEN = later("not written out: a part of the file does not parse")
_STEP = later("not written out: it goes with a training step, which `mindport fix` converts with its program")
_HELD_BACK = later("not written out: its program has a training step that no safe fix converts")
_RECORDED = later("not written out: unsafe fixes record the whole program for its gradients")
_INNER_CLASS = later("not written out: it belongs to a class inside of another statement")
_NOT_ALONE = later("not written out: by itself it would leave the statement half converted")


class WrittenFixes:
    """Writes out the fixes of the files of one part of a project. The project has its texts back after each file."""

    def __init__(
        self,
        project: Project,
        engine: Engine,
        rules: RuleFilter,
        conversion: Conversion,
        helper_module: str = "",
    ) -> None:
        self.project = project
        self.engine = engine
        self.rules = rules
        self.conversion = conversion
        self.helpers = ExistingHelpers(project, helper_module)

    @shared_trees()
    def of(self, file: Analysed, report: FileReport) -> tuple[WrittenFix | None, ...]:
        """What the fix of each finding of a file is; None where there is none to be made."""
        fixes = [fix if fix is not Applicability.DISPLAY else None for fix in report.fixes]
        source = file.source
        if not isinstance(source, SourceText) or not any(fixes):
            return (None,) * len(fixes)
        with self.engine.speaking():
            whole = self._left_whole(source, file)
            if whole:
                left = WrittenFix(reason=whole)
                return tuple(None if fix is None else left for fix in fixes)
            return tuple(_OneFile(self, file, source, report, fixes).written())

    def _left_whole(self, source: SourceText, file: Analysed) -> str:
        if source.notebook is not None:
            return translated(_NOTEBOOK)
        if source.returns:
            return translated(_RETURNS)
        return translated(_BROKEN) if file.problems else ""

    @functools.cached_property
    def taken(self) -> Taken:
        """The names that files of the part import from each other."""
        return taken_names(self.project)

    def with_class(self, path: str, source: SourceText, name: str, unsafe: bool) -> str:
        """The text of a file with one top-level class converted. The whole file converted at once would be sooner done,
        but what a class is called there may mean something else in the rest of the file as it is."""
        fixed = fix_text(
            path,
            source,
            self.project,
            self.engine,
            self.rules,
            unsafe=unsafe,
            only_class=name,
            taken=self.taken,
        )
        return fixed.text


class _OneFile:
    """The fixes of one file. Those of one statement are made together, and a class that derives from one of torch is
    converted whole, by the fix of one finding in it."""

    def __init__(
        self,
        fixes: WrittenFixes,
        file: Analysed,
        source: SourceText,
        report: FileReport,
        wanted: Sequence[Applicability | None],
    ) -> None:
        self._owner = fixes
        self._file = file
        self._source = source
        self._findings = report.findings
        self._wanted = wanted
        self._path = full_path(file.path)
        self._units = fixes.project.units(self._path)
        self._shapes = shape_fixes(source.text, file.usage, fixes.engine)
        self._classes = {
            class_at(self._units, use.span.line)
            for use in file.usage.uses
            if use.form is Form.BASE_CLASS and not use.guarded
        } - {""}
        met = {finding.use_index for finding in report.findings}
        self._in_steps = fixes.conversion.fixed_with_steps(file, source.text, met, fixes.engine)
        self._statements: dict[tuple[int, bool], _Statement] = {}

    def written(self) -> Iterator[WrittenFix | None]:
        """The fix of each finding, in their order."""
        for finding, fix in zip(self._findings, self._wanted, strict=True):
            yield None if fix is None else self._written(finding, fix)

    def _written(self, finding: Finding, fix: Applicability) -> WrittenFix:
        is_unsafe = fix is Applicability.UNSAFE
        index = finding.use_index
        if index < 0:
            shape = self._shapes.get(finding.span)
            return _left(_RECORDED) if shape is None else self._shape(shape.rewrite)
        if is_unsafe and self._owner.conversion.records:
            return _left(_RECORDED)
        if index in self._in_steps:
            return _left(_STEP)
        if self._owner.conversion.holds_back(self._file.path):
            return _left(_HELD_BACK)
        name = self._class_of(finding)
        if name:
            return self._class(name, finding, is_unsafe)
        use = self._file.usage.uses[index]
        if use.in_module or is_of_class(use):
            return _left(_INNER_CLASS)
        return self._statement(index, is_unsafe)

    def _class_of(self, finding: Finding) -> str:
        """The class that a finding is converted with; empty where that is none."""
        index = finding.use_index
        if index < 0 or index in self._in_steps:
            return ""
        name = class_at(self._units, self._file.usage.uses[index].span.line)
        return name if name in self._classes else ""

    @functools.cached_property
    def _bearers(self) -> dict[tuple[str, bool], Finding]:
        """The findings whose fix converts a class, by its name and whether unsafe fixes are made: the first of the most
        severe ones, as formats may leave out the others."""
        found: dict[tuple[str, bool], Finding] = {}
        for finding, fix in zip(self._findings, self._wanted, strict=True):
            key = (self._class_of(finding), fix is Applicability.UNSAFE)
            if fix is not None and (key not in found or finding.severity > found[key].severity):
                found[key] = finding
        return found

    def _shape(self, rewrite: Rewrite) -> WrittenFix:
        fix = as_fix(rewrite, self._source.text, self._file.usage)
        return (
            _left(_NOT_ALONE) if fix is None else self._fix(rewrite.title, fix.edits, rewrite.applicability)
        )

    def _class(self, name: str, finding: Finding, is_unsafe: bool) -> WrittenFix:
        first = self._bearers[name, is_unsafe]
        if first is not finding:
            sentence = later("not written out here: the fix of line {line} converts class `{name}` whole")
            return WrittenFix(reason=say(sentence, line=first.span.line, name=name))
        after = self._owner.with_class(self._file.path, self._source, name, is_unsafe)
        edits = line_changes(self._source.text, after)
        title = say("Convert class `{name}` to MindSpore", name=name)
        return self._fix(title, edits, Applicability.UNSAFE if is_unsafe else Applicability.SAFE)

    def _statement(self, index: int, is_unsafe: bool) -> WrittenFix:
        first = self._lines.first_line(self._file.usage.uses[index].span.line)
        key = (first, is_unsafe)
        if key not in self._statements:
            self._statements[key] = self._converted(first, is_unsafe)
        made = self._statements[key]
        title = made.titles.get(index)
        if title is None:
            return _left(_NOT_ALONE)
        if len(made.titles) > 1:
            title = say("{title}, with what else stands in the statement", title=title)
        return self._fix(title, made.edits, Applicability.UNSAFE if is_unsafe else Applicability.SAFE)

    def _converted(self, first: int, is_unsafe: bool) -> _Statement:
        """A statement after the fixes of all its findings that are as safe as one of them."""
        uses, text = self._file.usage.uses, self._source.text
        owner = self._owner
        allowed = (Applicability.SAFE, Applicability.UNSAFE) if is_unsafe else (Applicability.SAFE,)
        members = dict.fromkeys(
            finding.use_index
            for finding, fix in zip(self._findings, self._wanted, strict=True)
            if fix in allowed
            and finding.use_index >= 0
            and self._lines.first_line(uses[finding.use_index].span.line) == first
        )
        fixer = Fixer(owner.engine, owner.rules, is_unsafe)
        rewrites = wanted_rewrites(members, text, self._file.usage, fixer)
        chains = wanted_chains(members, text, self._file.usage, fixer)
        taken = owner.taken.get(self._path, frozenset())
        edits = compose(text, [*chains, *rewrites.values()], self._file.usage, self._file.path, taken)
        split = [chains[place].span for place in touched(dict(enumerate(chains)), edits)]
        met = touched(rewrites, edits)
        titles = {
            index: rewrite.title
            for index, rewrite in rewrites.items()
            if index in met or any(span.encloses(rewrite.span) for span in split)
        }
        return _Statement(edits, titles)

    def _fix(self, title: str, edits: Sequence[Edit], applicability: Applicability) -> WrittenFix:
        source, owner = self._source, self._owner
        edits = owner.helpers.edits(source, edits)
        if not edits:
            return _left(_NOT_ALONE)
        if applicability is not Applicability.SAFE:
            title = say("{title} (unsafe)", title=title)
        own = tuple(Edit(one.span, with_line_ends(one.text, source.newline)) for one in edits)
        return WrittenFix(title, own)

    @functools.cached_property
    def _lines(self) -> _Statements:
        return _Statements(self._source.text)


class _Statement(msgspec.Struct, frozen=True):
    """The edits of a statement, and the titles of what they fix, by the places in FileUsage.uses."""

    edits: tuple[Edit, ...]
    titles: dict[int, str]


class _Statements:
    """Which statement a line belongs to: the innermost one."""

    def __init__(self, text: str) -> None:
        self._first: dict[int, int] = {}
        statements = [node for node in every_node(parse_tree(text)) if isinstance(node, ast.stmt)]
        for statement in sorted(
            statements, key=lambda node: node.lineno
        ):  # those inside of others come later
            decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(one.lineno for one in decorators)])
            last = statement.end_lineno or statement.lineno
            self._first.update(dict.fromkeys(range(first, last + 1), first))

    def first_line(self, line: int) -> int:
        """The first line of the statement that a line belongs to; the line itself outside of all."""
        return self._first.get(line, line)


def _left(reason: str) -> WrittenFix:
    return WrittenFix(reason=translated(reason))
