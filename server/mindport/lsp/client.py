"""What the client at the other end can do, read once from `initialize`. Nothing is offered that it cannot take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from lsprotocol import types

from mindport import __version__
from mindport.lsp.positions import PositionEncoding
from mindport.model.language import Language, language_of, spoken


class ClientAbilities(msgspec.Struct, frozen=True):
    """The abilities that change what the server sends."""

    encoding: PositionEncoding
    # ALE and old lsp-mode take UTF-16 columns of non-ASCII lines for something else; a whole-line edit is safe there.
    trusts_columns: bool
    pulls_diagnostics: bool
    refreshes_diagnostics: bool
    refreshes_lenses: bool
    has_related_information: bool
    hover_is_markdown: bool
    resolves_edits: bool  # takes a code action without its edit and asks for it when it is chosen
    takes_document_changes: bool
    asks_before_edits: bool  # shows annotated edits and waits for the user's consent
    answers_configuration: bool
    watches_files: bool  # lets the server register what to watch
    shows_progress: bool
    creates_files: bool  # as a part of an edit
    opens_links: bool  # in a browser
    language: Language  # that its user reads
    trusts_workspace: bool  # the user's code and interpreter may be run
    shows_tags: tuple[int, ...] = ()  # of diagnostics: unnecessary and deprecated
    shows_marks_in_hover: bool = False  # so that the card need not say what they say
    code_links: str = ""  # where the page of a rule is, with its code for `{code}`; empty for nowhere

    def page_of(self, code: str) -> str:
        """The address of a rule's page, where the client shows such links."""
        return self.code_links.replace("{code}", code).replace("{version}", __version__)


def abilities_of(params: types.InitializeParams) -> ClientAbilities:
    """Read the abilities; everything that is not declared is taken for missing."""
    capabilities = params.capabilities
    offered = [
        str(getattr(name, "value", name))
        for name in _get(capabilities, "general", "position_encodings") or ()
    ]
    formats = list(_get(capabilities, "text_document", "hover", "content_format") or [])
    resolved = _get(capabilities, "text_document", "code_action", "resolve_support", "properties") or ()
    return ClientAbilities(
        encoding=PositionEncoding.negotiate(offered or _told_encoding(params.initialization_options)),
        trusts_columns=bool(offered),
        pulls_diagnostics=_get(capabilities, "text_document", "diagnostic") is not None,
        refreshes_diagnostics=bool(_get(capabilities, "workspace", "diagnostics", "refresh_support")),
        refreshes_lenses=bool(_get(capabilities, "workspace", "code_lens", "refresh_support")),
        has_related_information=bool(
            _get(capabilities, "text_document", "publish_diagnostics", "related_information")
            or _get(capabilities, "text_document", "diagnostic", "related_information")
        ),
        hover_is_markdown=formats[:1] == [types.MarkupKind.Markdown],
        resolves_edits="edit" in resolved,
        takes_document_changes=bool(_get(capabilities, "workspace", "workspace_edit", "document_changes")),
        asks_before_edits=bool(_get(capabilities, "workspace", "workspace_edit", "document_changes"))
        and _get(capabilities, "workspace", "workspace_edit", "change_annotation_support") is not None,
        answers_configuration=bool(_get(capabilities, "workspace", "configuration")),
        watches_files=bool(
            _get(capabilities, "workspace", "did_change_watched_files", "dynamic_registration")
        ),
        shows_progress=bool(_get(capabilities, "window", "work_done_progress")),
        creates_files=bool(_get(capabilities, "workspace", "workspace_edit", "document_changes"))
        and types.ResourceOperationKind.Create
        in (_get(capabilities, "workspace", "workspace_edit", "resource_operations") or ()),
        opens_links=bool(_get(capabilities, "window", "show_document", "support")),
        language=language_of(params.locale or ""),
        trusts_workspace=_says(params.initialization_options, "trustedWorkspace"),
        shows_tags=_tags(capabilities),
        shows_marks_in_hover=_says(params.initialization_options, "marksInHover"),
        code_links=_code_links(capabilities, params.initialization_options),
    )


def language_for(overrides: Mapping[str, object], language: Language) -> Language:
    """The language of what belongs to no project: the one that the editor's settings name, else its user's."""
    locale = overrides.get("locale")
    return language if locale in (None, "auto") else spoken(str(locale))


def _tags(capabilities: types.ClientCapabilities) -> tuple[int, ...]:
    """The tags of diagnostics that the client shows."""
    told = _get(capabilities, "text_document", "publish_diagnostics", "tag_support", "value_set")
    told = told or _get(capabilities, "text_document", "diagnostic", "tag_support", "value_set") or ()
    return tuple(int(getattr(one, "value", one)) for one in told)


def _code_links(capabilities: types.ClientCapabilities, options: Any) -> str:
    """Where the client's user has the pages of the rules: `codeLinks` beside the settings that it sends first. It is no
    setting, since those may come from the workspace, and a link may be a command."""
    told = options.get("codeLinks") if isinstance(options, Mapping) else None
    shows = _get(capabilities, "text_document", "publish_diagnostics", "code_description_support")
    shows = shows or _get(capabilities, "text_document", "diagnostic", "code_description_support")
    return told if isinstance(told, str) and shows else ""


def _says(options: Any, name: str) -> bool:
    """What the client says of itself beside the settings that it sends first: that it vouches for the workspace
    (`trustedWorkspace: true`), or shows the marks of a place above the card (`marksInHover: true`). Among the settings
    it does not count: those may come from the workspace itself."""
    return isinstance(options, Mapping) and options.get(name) is True


def _told_encoding(options: Any) -> list[str]:
    """The encoding that the user says of an editor which offers none and does not count in UTF-16 either, as ALE, which
    counts bytes: `positionEncoding` beside the settings that it sends first."""
    told = options.get("positionEncoding") if isinstance(options, Mapping) else None
    return [told] if isinstance(told, str) else []


def _get(value: Any, *names: str) -> Any:
    """The attribute at the end of a path, or None where a part of it is missing."""
    for name in names:
        value = getattr(value, name, None)
        if value is None:
            return None
    return value
