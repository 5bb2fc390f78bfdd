"""Random edits of real files, sent through the server's own documents, and what then is wrong with a document.

Run as a program on folders of Python files, it counts the documents in which anything was ever wrong:
`python tests/lsp/random_edits.py --documents 5000 FOLDER ...`"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from lsprotocol.converters import get_converter

from mindport.checking.findings import underlined
from mindport.lsp.client import abilities_of
from mindport.lsp.document import Document
from mindport.lsp.editor_settings import EditorSettings
from mindport.lsp.positions import PositionEncoding
from mindport.lsp.scene import Scene
from mindport.lsp.session import Session
from mindport.model.span import Position, Span
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse, Form

PASTED = (
    "class A(nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n",
    "def g(x):\n    return torch.std(x)\n",
    "import torch\n",
    "    y = torch.cat([x, x], dim=1)\n    z = y.view(2, 3)\n",
)
_TYPED = (*"()[]{}\"'#:,.=x7\n\n\n", "\n    ", '"""', "'''", "\\", "if ", "块 ", "🧱")
# What has no name of its own to stand on; its text has to be an expression.
_NAMELESS = (
    Form.OPERATOR,
    Form.INDEX,
    Form.FORMAT,
    Form.LAYER_CALL,
    Form.OVERRIDE,
    Form.DYNAMIC,
    Form.CONFIG,
)
_SYNTAX = "MP901"  # no kept finding: the parser's own place, which may be behind the end of a line
_STATEMENTS = (Form.IMPORT, Form.OVERRIDE, Form.ANNOTATION, Form.DYNAMIC, Form.CONFIG)


def session() -> Session:
    """A session that shows all findings."""
    params = {"capabilities": {"general": {"positionEncodings": ["utf-32"]}}}
    abilities = abilities_of(get_converter().structure(params, types.InitializeParams))
    settings = {"device": "CPU", "target-version": "2.10.0", "show-hints": True, "locale": "en"}
    return Session(abilities, EditorSettings(settings), lambda kind, text: None)


def random_edit(source: random.Random, text: str) -> tuple[int, int, str]:
    """Offsets and new text: a key, a block pasted anywhere, a selection over several lines that is deleted, or two of
    these at once."""
    start, end, new = _one_edit(source, text)
    if source.randrange(8):
        return start, end, new
    other, other_end, other_new = _one_edit(source, text)
    if other < end:
        return start, end, new
    return start, other_end, new + text[end:other] + other_new


def _one_edit(source: random.Random, text: str) -> tuple[int, int, str]:
    start = source.randrange(len(text) + 1)
    if text[start - 1 : start + 1] == "\r\n":
        start -= 1  # an editor has no place in between
    match source.randrange(6):
        case 0 | 1 | 2:
            return start, start, source.choice(_TYPED)
        case 3:
            return start, start, source.choice(PASTED)
        case 4:
            return start, _end(text, start + source.randrange(1, 4)), source.choice(("", *_TYPED))
        case _:
            return start, _end(text, start + source.randrange(5, 200)), ""


def _end(text: str, end: int) -> int:
    return min(len(text), end + (text[end - 1 : end + 1] == "\r\n"))


class Edited:
    """A document that is edited, with what names were written for each API while its text parsed."""

    def __init__(self, session: Session, uri: str, text: str) -> None:
        self.session = session
        self.text = text
        item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
        self.document: Document = session.open(item)
        self._written: set[tuple[str, str]] = set()
        self._learn()

    def edit(self, start: int, end: int, new: str) -> None:
        """Replace what is between two offsets, and ask for the diagnostics as a client does."""
        lines = LineIndex(self.text)
        first, last = (
            types.Position(one.line - 1, one.column) for one in (lines.position(start), lines.position(end))
        )
        change = types.TextDocumentContentChangePartial(types.Range(first, last), new)
        self.document.change([change], self.document.version + 1, PositionEncoding.UTF32)
        self.text = self.text[:start] + new + self.text[end:]
        assert self.document.text == self.text, "the edit was understood otherwise"
        self.session.diagnostics_json(self.document)
        self._learn()

    @property
    def parses(self) -> bool:
        return _parses(self.text)

    def _learn(self) -> None:
        if self.parses:
            lines = LineIndex(self.text)
            analysis = self.session.analyse(self.document)
            self._written.update((use.api, lines.slice(underlined(use))) for use in analysis.usage.uses)
            self._written.update((one.message, lines.slice(one.span)) for one in analysis.findings)

    def wrong(self) -> Iterator[str]:
        """Everything that stands where it should not, and every fix that does not fit the text."""
        lines = LineIndex(self.text)
        analysis = self.session.analyse(self.document)
        for use in analysis.usage.uses:
            text = lines.slice(underlined(use))
            if text in analysis.usage.module_names:
                # Another name for what an import leads to, which may itself have been edited just now.
                self._written.add((use.api, text))
            yield from self._wrong_use(use, lines)
        for finding in analysis.findings:
            if finding.rule == _SYNTAX:
                continue
            text = lines.slice(finding.span)
            name = finding.api.rpartition(".")[2]
            if not _is_inside(finding.span, lines):
                yield f"{finding.rule} lies outside the text, at {finding.span}"
            elif name and not (name in text or self._is_known(finding.api, finding.message, text)):
                yield f"{finding.rule} of {finding.api} stands on {text!r}"
            elif not text.strip():
                yield f"{finding.rule} stands on nothing, at {finding.span}"
        yield from self._wrong_fixes(lines)

    def _is_known(self, api: str, message: str, text: str) -> bool:
        known = self._written
        nameless = "__" in api and _is_code(text)
        return (api, text) in known or (message, text) in known or nameless

    def _wrong_use(self, use: ApiUse, lines: LineIndex) -> Iterator[str]:
        text, name = lines.slice(underlined(use)), use.api.rpartition(".")[2]
        if not _is_inside(use.span, lines) or not _is_inside(use.name_span, lines):
            yield f"{use.api} lies outside the text, at {use.span}"
        elif use.form not in _NAMELESS and name not in text and (use.api, text) not in self._written:
            yield f"{use.api} stands on {text!r}"
        elif use.form not in _STATEMENTS and not _is_code(lines.slice(use.span)):
            yield f"{use.api} covers {lines.slice(use.span)!r}"

    def _wrong_fixes(self, lines: LineIndex) -> Iterator[str]:
        scene = Scene(self.session, self.document)
        for use in scene.analysis.usage.uses:
            if use.call is None or not scene.rewrites(use):
                continue
            spans = (use.call.span, *(argument.span for argument in use.call.arguments))
            broken = [text for span in spans if not _is_code(text := lines.slice(span))]
            if broken:
                yield f"a fix of {use.api} takes {broken[0]!r} for code"


def _is_inside(span: Span, lines: LineIndex) -> bool:
    """Whether the span ends on lines that are long enough for it."""
    places = (Position(span.line, span.column), Position(span.end_line, span.end_column))
    return span.start <= span.end and all(
        1 <= one.line <= lines.line_count and one.column <= len(lines.line_text(one.line)) for one in places
    )


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def _is_code(text: str) -> bool:
    """Whether a text is an expression or a statement, wherever its lines break."""
    return _parses(f"(\n{text}\n)") or _parses(f"x[\n{text}\n]") or _parses(textwrap.dedent(text))


def try_document(session: Session, path: Path, text: str, seed: int, edits: int) -> tuple[int, list[str]]:
    """Edit one document at random, up to so many times, until something is wrong: how many edits left it broken, and
    what is wrong."""
    source = random.Random(f"{path.name} {seed}")
    if source.randrange(5) == 0:
        text = text.replace("\n", "\r\n")
    uri = f"untitled:{seed}/{path.name}"
    edited = Edited(session, uri, text)
    broken = 0
    found: list[str] = []
    for _ in range(edits):
        start, end, new = random_edit(source, edited.text)
        edited.edit(start, end, new)
        broken += not edited.parses
        found = [f"{path.name}, seed {seed}: {one}" for one in edited.wrong()]
        if found:
            break
    session.close(uri)
    return broken, found


def texts_of(folders: Sequence[str | Path], most_characters: int) -> list[tuple[Path, str]]:
    """The files in some folders that use torch and parse, with their texts."""
    found = []
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="ignore").replace("\r\n", "\n")
            if "torch" in text and 200 < len(text) <= most_characters and _parses(text):
                found.append((path, text))
    return found


def main() -> int:
    warnings.simplefilter("ignore", SyntaxWarning)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--edits", type=int, default=0, help="as many in each document; 1 to 10 if left out")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    arguments = parser.parse_args()
    texts = texts_of(arguments.folders, 30_000)
    one_session = session()
    counts: Counter[str] = Counter()
    for seed in range(arguments.first, arguments.first + arguments.documents):
        path, text = texts[seed % len(texts)]
        broken, found = try_document(one_session, path, text, seed, arguments.edits or 1 + seed % 10)
        counts["documents"] += 1
        counts["documents that were broken"] += broken > 0
        counts["broken versions"] += broken
        counts["documents with something wrong"] += bool(found)
        if found:
            print(found[0], file=sys.stderr)
    print(dict(counts))
    return 1 if counts["documents with something wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
