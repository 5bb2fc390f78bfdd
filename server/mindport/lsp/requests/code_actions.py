"""`textDocument/codeAction`: quick fixes at a place, all uses of one API, everything that is safe, and suppressing.

Fixes are found from the range alone, because some clients do not send back the diagnostics they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from lsprotocol import types

from mindport.checking.findings import underlined
from mindport.checking.idle_comments import removal_edits
from mindport.checking.suppress import file_suppression_edit, suppression_edit
from mindport.checking.suppression import UNUSED
from mindport.lsp.convert import span_of
from mindport.lsp.requests.accumulation import accumulating_loops, accumulation_edits
from mindport.lsp.requests.conversions import KIND as CONVERT
from mindport.lsp.requests.conversions import conversions
from mindport.lsp.requests.shape_fixes import shape_edits, shape_fixes_for
from mindport.lsp.requests.verify_second_order import KIND, SECOND_ORDER, offers
from mindport.lsp.requests.ways_out import KIND as WAY_OUT
from mindport.lsp.requests.ways_out import operator_action, request_action
from mindport.lsp.scene import Scene
from mindport.lsp.server import MindportServer
from mindport.model.finding import Finding
from mindport.model.language import say, translated
from mindport.model.span import Edit, Span
from mindport.model.target import Mode
from mindport.model.verdict import Applicability
from mindport.rewrite.training.accumulation import TITLE
from mindport.usage.api_use import ApiUse
from mindport.usage.top_classes import class_at, is_of_class

FIX_ALL = "source.fixAll.mindport"
_NO_EQUIVALENT = "MP102"
_MOST_USES = 20  # in one menu; a range over a whole file would take seconds to answer


def register(server: MindportServer) -> None:
    """Register the handlers."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(
            code_action_kinds=[types.CodeActionKind.QuickFix, CONVERT, FIX_ALL, KIND, WAY_OUT],
            resolve_provider=True,
        ),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.document(params.text_document.uri)
        if document is None:
            return []
        scene = Scene(server.session, document)
        with scene.folder.engine.speaking():
            return actions(scene, params.range, params.context.only)

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolve(action: types.CodeAction) -> types.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        document = server.document(str(data.get("uri", "")))
        # Places in a text that has changed since are no longer right; the client asks anew.
        if document is not None and document.whole.version == data.get("version"):
            scene = Scene(server.session, document)
            with scene.folder.engine.speaking():
                action.edit = _made(scene, data)
                if action.edit is None and action.kind == CONVERT:
                    server.show(types.MessageType.Info, say("Nothing there can be changed by these fixes."))
        return action


def actions(scene: Scene, place: types.Range, only: Sequence[str] | None) -> list[types.CodeAction]:
    """Every action for a range, of the kinds that the client asks for."""
    found: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix.value, only):
        found += _quick_fixes(scene, span_of(place, scene.document, scene.session.abilities.encoding))
    # Without `resolve` each of them would be made for a menu that merely opens.
    if _is_wanted(CONVERT, only) and (only is not None or scene.session.abilities.resolves_edits):
        span = span_of(place, scene.document, scene.session.abilities.encoding)
        units = scene.folder.project.units(scene.document.path)
        previews = scene.session.abilities.asks_before_edits
        for title, data in conversions(
            scene.analysis, units, span, previews=previews, asked=only is not None
        ):
            if all(one.title != title for one in found):  # a fix for the class itself
                found += _deferred(scene, title, CONVERT, data)
        found += _other_ways(scene, span)
        for loop in accumulating_loops(
            scene.document.text, scene.analysis.usage, span, asked=only is not None
        ):
            found += _deferred(scene, translated(TITLE), CONVERT, {"accumulate": loop})
    if _is_wanted(KIND, only):
        span = span_of(place, scene.document, scene.session.abilities.encoding)
        found += offers(scene.session, scene.document, scene.shown, span)
    if _is_wanted(WAY_OUT, only):
        span = span_of(place, scene.document, scene.session.abilities.encoding)
        found += _ways_out(scene, span)
    if _is_wanted(FIX_ALL, only) and only is not None:
        found += _deferred(scene, say("Apply all safe fixes"), FIX_ALL, {"all": True})
    return found


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    wanted = [str(getattr(one, "value", one)) for one in only or ()]
    return only is None or any(kind == one or kind.startswith(f"{one}.") or not one for one in wanted)


def _quick_fixes(scene: Scene, span: Span) -> Iterator[types.CodeAction]:
    uses = [use for use in scene.uses if _touches(underlined(use), span)][:_MOST_USES]
    place: dict[str, object]
    offered: list[ApiUse] = []
    safe: list[ApiUse] = []
    for use in uses:
        findings = _findings(scene, use)
        if is_of_class(use):
            yield from _class_fix(scene, use, findings)
            continue
        for number, rewrite in enumerate(scene.rewrites(use)):
            is_safe = rewrite.applicability is Applicability.SAFE
            title = rewrite.title if is_safe else say("{title} (unsafe)", title=rewrite.title)
            place = {
                "fix": list(msgspec.structs.astuple(underlined(use))),
                "number": number,
            }
            for action in _deferred(scene, title, types.CodeActionKind.QuickFix, place):
                action.is_preferred = is_safe or None
                action.diagnostics = [scene.diagnostic(one) for one in findings] or None
                offered.append(use)
                safe += [use] if is_safe else []
                yield action
    yield from _shape_fixes(scene, span)
    for link in scene.analysis.links:
        if not _touches(underlined(link.use), span):
            continue
        for number, (_, rewrite) in enumerate(scene.link_fixes(link)):
            place = {"link": list(msgspec.structs.astuple(underlined(link.use))), "number": number}
            title = say("{title} (unsafe)", title=rewrite.title)
            for action in _deferred(scene, title, types.CodeActionKind.QuickFix, place):
                action.diagnostics = [
                    scene.diagnostic(one)
                    for one in _findings(scene, link.use)
                    if one.rule.startswith(SECOND_ORDER)
                ] or None
                yield action
    for api in dict.fromkeys(use.api for use in offered):
        if sum(use.api == api for use in scene.uses) > 1:
            title = say("Fix all `{api}` in this file", api=api)
            yield from _deferred(scene, title, types.CodeActionKind.QuickFix, {"api": api})
    yield from _fixes_of_rules(scene, safe)
    for number, idle in enumerate(scene.analysis.idle):
        if _touches(idle.span, span):
            title = (
                say("Remove what ignores nothing from this comment")
                if idle.codes
                else say("Remove this comment, which ignores nothing")
            )
            for action in _deferred(scene, title, types.CodeActionKind.QuickFix, {"idle": number}):
                action.diagnostics = [
                    scene.diagnostic(one)
                    for one in scene.shown
                    if (one.rule, one.span) == (UNUSED, idle.span)
                ] or None
                yield action
    findings = [one for one in scene.shown if _touches(one.span, span) and one.span not in scene.outdated]
    for code, line in dict.fromkeys((one.rule, one.span.line) for one in findings):
        data: dict[str, object] = {"ignore": code, "line": line}
        yield from _deferred(
            scene, say("Ignore {code} on this line", code=code), types.CodeActionKind.QuickFix, data
        )
    for code in dict.fromkeys(one.rule for one in findings):
        if scene.document.notebook is None:
            title = say("Ignore {code} in this file", code=code)
            yield from _deferred(scene, title, types.CodeActionKind.QuickFix, {"ignore": code, "file": True})
        if scene.settings_file is not None:
            title = say("Ignore {code} in the project", code=code)
            yield from _deferred(
                scene, title, types.CodeActionKind.QuickFix, {"ignore": code, "project": True}
            )


def _fixes_of_rules(scene: Scene, uses: Sequence[ApiUse]) -> Iterator[types.CodeAction]:
    """What fixes all findings of the rules that speak of uses with safe fixes, where they speak of other names, too."""
    for code in dict.fromkeys(one.rule for use in uses for one in _findings(scene, use)):
        if len({one.api for one in scene.shown if one.rule == code}) > 1:
            title = say("Fix all {code} in this file", code=code)
            yield from _deferred(scene, title, types.CodeActionKind.QuickFix, {"rule": code})


def _class_fix(scene: Scene, use: ApiUse, findings: Sequence[Finding]) -> Iterator[types.CodeAction]:
    """The conversion of the class that a use is a part of: by itself it would leave the class half torch's."""
    name = class_at(scene.folder.project.units(scene.document.path), use.span.line)
    if not name or not scene.rewrites(use):
        return
    title = say("Convert class `{name}` to MindSpore", name=name)
    for action in _deferred(scene, title, types.CodeActionKind.QuickFix, {"convert": name}):
        action.diagnostics = [scene.diagnostic(one) for one in findings] or None
        yield action


def _shape_fixes(scene: Scene, span: Span) -> Iterator[types.CodeAction]:
    findings = [one for one in scene.analysis.findings if _touches(one.span, span)][:_MOST_USES]
    engine = scene.folder.engine
    for finding, fixed in shape_fixes_for(findings, scene.document.text, scene.analysis.usage, engine):
        rewrite = fixed.rewrite
        is_safe = rewrite.applicability is Applicability.SAFE
        title = rewrite.title if is_safe else say("{title} (unsafe)", title=rewrite.title)
        data: dict[str, object] = {"shape": list(msgspec.structs.astuple(finding.span))}
        for action in _deferred(scene, title, types.CodeActionKind.QuickFix, data):
            # In PyNative it is a matter of taste.
            action.is_preferred = (is_safe and engine.target.mode is Mode.GRAPH) or None
            if finding in scene.shown:
                action.diagnostics = [scene.diagnostic(finding)]
            yield action


def _ways_out(scene: Scene, span: Span) -> Iterator[types.CodeAction]:
    for use in [one for one in scene.uses if _touches(underlined(one), span)][:_MOST_USES]:
        missing = [one for one in _findings(scene, use) if one.rule == _NO_EQUIVALENT]
        if not missing:
            continue
        offered = (
            *operator_action(scene.session, scene.document, use),
            *request_action(scene.session, scene.document, use),
        )
        for action in offered:
            action.diagnostics = [scene.diagnostic(one) for one in missing]
            yield action


def _other_ways(scene: Scene, span: Span) -> Iterator[types.CodeAction]:
    uses = [use for use in scene.uses if _touches(underlined(use), span)][:_MOST_USES]
    for use in uses:
        place = list(msgspec.structs.astuple(underlined(use)))
        for number, rewrite in enumerate(scene.other_ways(use)):
            yield from _deferred(scene, rewrite.title, CONVERT, {"way": place, "number": number})


def _deferred(
    scene: Scene, title: str, kind: types.CodeActionKind | str, data: dict[str, object]
) -> Iterator[types.CodeAction]:
    """An action whose edit is made when it is chosen, if the client can wait; `data` says what it does."""
    document = scene.document
    if scene.session.abilities.resolves_edits:
        place = {"uri": document.uri, "version": document.whole.version}
        yield types.CodeAction(title=title, kind=kind, data={**data, **place})
        return
    edit = _made(scene, data)
    if edit is not None:
        yield types.CodeAction(title=title, kind=kind, edit=edit)


def _made(scene: Scene, data: Mapping[str, object]) -> types.WorkspaceEdit | None:
    """The edit that an action's data stand for; None where nothing changes."""
    edits: Sequence[Edit]
    match data:
        case {"ignore": str(code), "line": int(line)}:
            comment = suppression_edit(scene.lines, code, line)
            edits = () if comment is None else (comment,)
        case {"ignore": str(code), "file": True}:
            comment = file_suppression_edit(scene.document.text, code)
            edits = () if comment is None else (comment,)
        case {"ignore": str(code), "project": True}:
            return scene.ignoring_edit(code)
        case {"rule": str(code)}:
            edits = scene.with_shared_helpers(scene.fixes_of_rule(code))
        case {"link": [int(), int(), int(), int()] as place, "number": int(number)}:
            return scene.link_edit(Span(*place), number)
        case {"fix": [int(), int(), int(), int()] as place, "number": int(number)}:
            edits = scene.with_shared_helpers(scene.fix_at(Span(*place), number))
        case {"way": [int(), int(), int(), int()] as place, "number": int(number)}:
            edits = scene.with_shared_helpers(scene.way_at(Span(*place), number))
        case {"shape": [int(), int(), int(), int()] as place}:
            edits = shape_edits(Span(*place), scene.document.text, scene.analysis.usage)
        case {"idle": int(number)} if 0 <= number < len(scene.analysis.idle):
            edits = removal_edits(scene.document.text, [scene.analysis.idle[number]])
        case {"accumulate": int(line)}:
            edits = accumulation_edits(scene.document.text, scene.analysis.usage, line)
        case {"api": str(api)}:
            edits = scene.with_shared_helpers(scene.fixes_of(api))
        case {"all": True}:
            edits = scene.every_fix()
        case {"convert": str(name)}:
            unsafe = data.get("unsafe") is True
            edits = scene.every_fix(only_class=name, unsafe=unsafe)
            confirm = say("Convert to MindSpore") if data.get("preview") is True else ""
            return scene.edit(edits, confirm) if edits else None
        case _:
            edits = ()
    return scene.edit(edits) if edits else None


def _findings(scene: Scene, use: ApiUse) -> list[Finding]:
    span = underlined(use)
    return [one for one in scene.shown if one.span == span and one.api == use.api]


def _touches(one: Span, other: Span) -> bool:
    """Whether two spans share a place; a cursor behind the last letter counts."""
    return one.start <= other.end and other.start <= one.end
