"""A document with all that its code actions are made from, and the edits that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types

from mindport.checking.findings import underlined
from mindport.checking.fixing import fix_text
from mindport.checking.helper_sharing import ExistingHelpers
from mindport.checking.taken_names import taken_names
from mindport.config.ignored_rule import with_ignored_rule
from mindport.lsp.convert import diagnostic_of, workspace_edit
from mindport.lsp.document import NOT_OPEN, Document
from mindport.lsp.folder import Analysis, Folder
from mindport.lsp.session import Session
from mindport.model.finding import Finding
from mindport.model.span import Edit, Span
from mindport.model.verdict import Applicability
from mindport.rewrite.compose import as_fix, compose
from mindport.rewrite.line_changes import line_changes
from mindport.rewrite.other_ways import rewritten_otherwise
from mindport.rewrite.pieces import Rewrite
from mindport.rewrite.propose import propose
from mindport.rewrite.second_order import equivalent_rewrite, jit_rewrite
from mindport.rules.wording import without_target
from mindport.source.lines import LineIndex
from mindport.source.text import SourceText, newline_of, read_source
from mindport.usage.api_use import ApiUse
from mindport.usage.regions.link import ChainLink
from mindport.usage.top_classes import is_of_class

_APPLIED = (Applicability.SAFE, Applicability.UNSAFE)


class Scene:
    """A document with all that its actions are made from."""

    def __init__(self, session: Session, document: Document) -> None:
        self.session = session
        self.document = document
        self.folder: Folder = session.folder_of(document)
        self.analysis: Analysis = session.analyse(document)
        self.lines = LineIndex(document.text)
        self.shown = session.shown(document)
        # What has changed since it parsed is shown where it stands, but nothing can be written for it.
        self.uses = [use for use in self.analysis.usage.uses if not use.is_outdated]
        self.outdated = {underlined(use) for use in self.analysis.usage.uses if use.is_outdated}

    def rewrites(self, use: ApiUse) -> tuple[Rewrite, ...]:
        """What may be written for a use, best first; without what is only to be shown."""
        assessment = self.folder.engine.assess(use)
        if assessment.fix not in _APPLIED or use.guarded:
            return ()
        return tuple(
            one
            for one in propose(
                use,
                assessment.judgement,
                self.lines,
                self.folder.engine.torch,
                self.folder.engine.mindspore,
            )
            if one.applicability in _APPLIED
        )

    def edit(self, edits: Sequence[Edit], confirm: str = "") -> types.WorkspaceEdit | None:
        """Edits as the client takes them; `confirm` is what the user is asked to agree to first. None where they do not
        fit the text."""
        return workspace_edit(edits, self.document, self.session.abilities, confirm)

    def diagnostic(self, finding: Finding) -> types.Diagnostic:
        """A finding as the client was told it."""
        return diagnostic_of(
            without_target(finding, self.folder.target), self.document, self.session.abilities
        )

    def fix_at(self, place: Span, number: int) -> tuple[Edit, ...]:
        """The edits of one rewrite of the use that is underlined at a place, imports included."""
        return self._edits_at(place, number, self.rewrites)

    def other_ways(self, use: ApiUse) -> tuple[Rewrite, ...]:
        """Other ways to write a use by operators that every device has."""
        return tuple(rewritten_otherwise(use, self.lines, self.folder.engine.torch))

    def way_at(self, place: Span, number: int) -> tuple[Edit, ...]:
        """The edits of one other way to write the use that is underlined at a place."""
        return self._edits_at(place, number, self.other_ways)

    def _edits_at(
        self, place: Span, number: int, rewrites_of: Callable[[ApiUse], Sequence[Rewrite]]
    ) -> tuple[Edit, ...]:
        for use in self.uses:
            if underlined(use) == place and number < len(rewrites := rewrites_of(use)):
                fix = as_fix(rewrites[number], self.document.text, self.analysis.usage)
                return () if fix is None else fix.edits
        return ()

    def every_fix(self, *, only_class: str = "", unsafe: bool = False) -> list[Edit]:
        """The edits for every safe fix of the document or of one class in it, in as many rounds as it takes."""
        source = SourceText(self.document.path, self.document.text, newline=newline_of(self.document.text))
        folder = self.folder
        fixed = fix_text(
            self.document.path,
            source,
            folder.project,
            folder.engine,
            folder.rules,
            unsafe=unsafe,
            only_class=only_class,
            helper_module=folder.settings.helper_module,
        )
        return line_changes(source.text, fixed.text)

    def link_fixes(self, link: ChainLink) -> list[tuple[str, Rewrite]]:
        """What makes a gradient of a gradient right at an API: each with the path of the file it changes. Nothing while
        the links are those of earlier texts: an edit needs places that are certain."""
        engine = self.folder.engine
        if link.use.is_outdated or not self.folder.project.has_current_links:
            return []
        answer = engine.second_order(link)
        if answer is None:
            return []
        found = []
        equal = equivalent_rewrite(link.use, answer, self.lines, engine.mindspore.signatures)
        if equal is not None:
            found.append((self.document.path, equal))
        compiled = jit_rewrite(link, answer)
        if compiled is not None and link.gradient is not None:
            found.append((link.gradient.path, compiled))
        return found

    def link_edit(self, place: Span, number: int) -> types.WorkspaceEdit | None:
        """The edit of one fix of the link that is underlined at a place; it may be of another file."""
        for link in self.analysis.links:
            if underlined(link.use) != place or number >= len(fixes := self.link_fixes(link)):
                continue
            path, rewrite = fixes[number]
            document = self.session.document_at(path) or self._from_disk(path)
            if document is None:
                return None
            # The text that was analysed: the document may have another one by now, as may the disk.
            project = self.folder.project
            fix = as_fix(rewrite, project.text(path), project.usage(path))
            return None if fix is None else workspace_edit(fix.edits, document, self.session.abilities)
        return None

    def _from_disk(self, path: str) -> Document | None:
        """A file that no document is open of."""
        source = read_source(path, self.folder.settings.max_file_bytes)
        return (
            Document(Path(path).as_uri(), NOT_OPEN, source.text) if isinstance(source, SourceText) else None
        )

    def with_shared_helpers(self, edits: Sequence[Edit]) -> Sequence[Edit]:
        """The edits; helpers that the project's module of helpers has are imported from there and not written into the
        file, as where whole files are fixed."""
        document, folder = self.document, self.folder
        if document.notebook is not None:
            return edits
        source = SourceText(document.path, document.text, newline=newline_of(document.text))
        return ExistingHelpers(folder.project, folder.settings.helper_module).edits(source, edits)

    @property
    def settings_file(self) -> Path | None:
        """The project's pyproject.toml, which may not be there yet; None where the client cannot change it."""
        loaded, abilities = self.folder.loaded, self.session.abilities
        path = Path(loaded.source or Path(loaded.root, "pyproject.toml"))
        if path.name != "pyproject.toml" or not abilities.takes_document_changes:
            return None
        return path if path.exists() or abilities.creates_files else None

    def ignoring_edit(self, code: str) -> types.WorkspaceEdit | None:
        """The edit of the project's pyproject.toml that makes a rule ignored; None where the client cannot make it."""
        path = self.settings_file
        if path is None:
            return None
        try:
            before = path.read_bytes().decode() if path.exists() else ""
        except (OSError, UnicodeDecodeError):
            return None
        after = with_ignored_rule(before, code)
        if after is None:
            return None
        document = Document(path.resolve().as_uri(), NOT_OPEN, before)
        edit = workspace_edit(line_changes(before, after), document, self.session.abilities)
        if edit is not None and edit.document_changes is not None and not path.exists():
            edit.document_changes = [types.CreateFile(uri=document.uri), *edit.document_changes]
        return edit

    def fixes_of_rule(self, code: str) -> tuple[Edit, ...]:
        """The edits for the safe fixes of all findings of one rule."""
        places = {(one.span, one.api) for one in self.shown if one.rule == code}
        uses = [one for one in self.uses if (underlined(one), one.api) in places and not is_of_class(one)]
        found = [rewrites[0] for use in uses if (rewrites := self.rewrites(use))]
        return self._composed([one for one in found if one.applicability is Applicability.SAFE])

    def fixes_of(self, api: str) -> tuple[Edit, ...]:
        """The edits for the safe fixes of one API; where none of them is safe, for all of them, since the user asks
        for it by name."""
        # What a comment or the settings leave out has no finding, and is not changed.
        places = {one.span for one in self.analysis.findings if one.api == api}
        uses = [one for one in self.uses if one.api == api and underlined(one) in places]
        found = [rewrites[0] for use in uses if (rewrites := self.rewrites(use))]
        if any(one.applicability is Applicability.SAFE for one in found):
            found = [one for one in found if one.applicability is Applicability.SAFE]
        return self._composed(found)

    def _composed(self, rewrites: Sequence[Rewrite]) -> tuple[Edit, ...]:
        taken = taken_names(self.folder.project).get(self.document.path, frozenset())
        return compose(self.document.text, rewrites, self.analysis.usage, self.document.path, taken)
