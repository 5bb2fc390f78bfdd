"""Applies fixes to texts: rounds until nothing changes, each of them parsed again, and never a half-changed file."""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import msgspec

from mindport.checking.analysis import Sources, read_sources
from mindport.checking.components import components
from mindport.checking.engine import Engine
from mindport.checking.finishing import finished, whole_project
from mindport.checking.fix_round import Fixer, fix_once
from mindport.checking.fixed_text import FixedText
from mindport.checking.fixing_part import MOST_ROUNDS, FixedPart
from mindport.checking.helper_places import is_package, package_of
from mindport.checking.helper_sharing import ExistingHelpers, share_helpers
from mindport.checking.joined_names import JoinedNames
from mindport.checking.kept_to_class import kept_to_class
from mindport.checking.out_of_reach import OutOfReach
from mindport.checking.outcome import FileFix, FileReport
from mindport.checking.own_attributes import OwnAttributes
from mindport.checking.parts_along import PartsAlong, parts_along
from mindport.checking.project_evidence import project_index
from mindport.checking.taken_names import Taken, taken_names
from mindport.checking.uncommitted import UncommittedChanges
from mindport.config.rule_filter import RuleFilter
from mindport.config.settings import Settings
from mindport.model.language import spoken
from mindport.model.target import Target
from mindport.source.discovery import full_path
from mindport.source.syntax import shared_trees
from mindport.source.text import SourceText, content_of, with_known_lines
from mindport.usage.project import Project
from mindport.usage.top_classes import lines_of_class

_LOG = logging.getLogger(__name__)


def fix_paths(
    files: Sequence[str],
    settings: Settings,
    target: Target,
    root: str = ".",
    overlay: dict[str, SourceText] | None = None,
    *,
    unsafe: bool = False,
    allow_dirty: bool = False,
    out_of_reach: OutOfReach | None = None,
    within: str = "",
    takes_guesses: bool = False,
) -> Iterator[FileFix]:
    """Each file before and after its fixes, in the order of `files`, but a module of helpers before the first file that
    imports it; nothing is written. A file with uncommitted changes is refused unless `allow_dirty`, and so is one that
    is `out_of_reach`. No new file lies outside of the folder `within`, where that is given. `takes_guesses`: whether
    what is only guessed is fixed, too, as an unsafe fix.

    The files of a part of the project go through each round together: what is renamed in one of them may be
    what another one calls, so that fixing again changes nothing."""
    overlay = overlay or {}
    sources = read_sources(files, settings, root, overlay)
    along = parts_along(sources, root, within) if unsafe else PartsAlong(sources)
    sources = along.sources
    engine = Engine(target, project_index(settings, root), language=spoken(settings.locale))
    fixer = Fixer(engine, RuleFilter(settings, root), unsafe)
    changes = UncommittedChanges()

    def refusal(path: str) -> str | None:
        if path in overlay:
            return None
        reason = out_of_reach.reason(path) if out_of_reach is not None else None
        return reason or (None if allow_dirty else changes.reason(path))

    groups = _sharing_helpers(components(sources))
    group_of = {path: index for index, group in enumerate(groups) for part in group for path, _ in part.files}
    top = posixpath.commonpath([posixpath.dirname(full_path(path)) for path in files]) if files else ""
    given: set[str] = set()
    done: dict[str, FileFix] = {}
    for path, _ in sources.files:
        if path in given:
            continue
        if path not in done:
            parts = [FixedPart(part, root, fixer, takes_guesses, along) for part in groups[group_of[path]]]
            fixed = [(part.project, part.fixed(refusal)) for part in parts]
            shared: Sequence[FileFix] = ()
            if settings.helper_module:
                try:
                    shared = share_helpers(fixed, settings.helper_module, top, within)
                except Exception:  # noqa: BLE001  each file has its helpers already
                    _LOG.exception("sharing the helpers failed")
            done.update((file.path, file) for _, part in fixed for file in part)
            done.update((file.path, file) for file in shared)
        for name in (done[path].helpers, path):
            if name and name not in given:
                given.add(name)
                yield _as_new(done.pop(name)) if name in along.modules else done.pop(name)


def _as_new(fix: FileFix) -> FileFix:
    """A module that the project does not have, as it is written; nothing is reported of it."""
    assert fix.before is not None
    return msgspec.structs.replace(
        fix, report=FileReport(fix.path), before=SourceText(fix.path, ""), is_new=True, unsafe=()
    )


def _sharing_helpers(parts: Sequence[Sources]) -> list[list[Sources]]:
    """The parts in groups whose files may have their helpers from one module, or from several that go by one name:
    those of one package, of one folder of scripts, and of the folders of scripts in it."""
    known = {full_path(path) for part in parts for path, _ in part.files}
    folders = [{package_of(full_path(path), known) for path, _ in part.files} for part in parts]
    together = JoinedNames()
    for folder in (every := set[str]().union(*folders)):
        around = map(str, PurePosixPath(folder).parents)
        for other in around if not is_package(folder, known) else ():
            if other in every:
                together.join(folder, other)
    groups: dict[str, list[Sources]] = {}
    for own in folders:
        for folder in own:
            together.join(folder, min(own))
    for part, own in zip(parts, folders, strict=True):
        groups.setdefault(together.root(min(own)), []).append(part)
    return list(groups.values())


@shared_trees()
def fix_text(
    path: str,
    source: SourceText,
    project: Project,
    engine: Engine,
    rules: RuleFilter,
    *,
    unsafe: bool = False,
    only_class: str = "",
    helper_module: str = "",
    taken: Taken | None = None,
) -> FixedText:
    """Apply fixes to one file, or to one top-level class of it, in rounds until nothing changes. The project has its
    own text of the file back at the end. A round whose result would not parse is not made. Helpers are imported from
    the module of that name as far as there is one that has them. `taken` is what files import from each other, where
    that is known."""
    name = full_path(path)
    if project.problems(name):
        return FixedText(source.text)
    original, source = source, with_known_lines(source)
    project.add(name, source.text)
    fixer = Fixer(engine, rules, unsafe)
    kept = (taken_names(project) if taken is None else taken).get(name, frozenset())
    text, applied, fixed_uses = source.text, 0, frozenset[int]()
    try:
        for _ in range(MOST_ROUNDS):
            if only_class:
                fixer = msgspec.structs.replace(fixer, lines=lines_of_class(project.units(name), only_class))
            result = fix_once(path, source.with_text(text), project.usage(name), fixer, kept)
            if result is None:
                break
            applied += result.count
            # The first round speaks of the uses that the user knows.
            fixed_uses = fixed_uses or result.fixed_uses
            text = result.text
            project.add(name, text)
            if project.problems(name):  # a round parses its result; this is one more lock on the same door
                return FixedText(original.text)
        whole = whole_project(project, (name,))
        text = OwnAttributes(project, {name: source.text}).renamed(name) if applied else text
    finally:
        project.add(name, original.text)
    if applied:
        text = finished(name, source.text, text, engine.target, whole)
        text = ExistingHelpers(project, helper_module).imported(source, text) if helper_module else text
        text = kept_to_class(source.text, text, only_class) if only_class else text
    text = content_of(source.with_text(text)) if source.returns else text
    return FixedText(text, applied, fixed_uses)
