"""The translations that ship: `mappings/_texts/<language>/*.po`, compiled into one file for each language when a wheel
is built, and in a checkout on demand."""

from __future__ import annotations

import datetime
import functools
import gettext
import io
import logging
from pathlib import Path

from mindport.model.language import Language, Translations
from mindport.registry.location import compiled_folder, is_installed, mappings_folder
from mindport.source.writing import keep_file

_LOG = logging.getLogger(__name__)
_ANY_DAY = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
_FOLDERS: dict[Language, str] = {"zh-cn": "zh_CN"}


@functools.cache
def translations(language: Language) -> Translations | None:
    """The texts of a language, read once per process; None for English."""
    folder = _FOLDERS.get(language)
    if folder is None:
        return None
    compiled = _compiled(folder)
    sources = text_files(folder)
    if not is_installed() and _is_older(compiled, sources):
        data = compile_texts(sources, compiled)
    else:
        data = compiled.read_bytes() if compiled.is_file() else b""
    return gettext.GNUTranslations(io.BytesIO(data)) if data else None


def text_files(folder: str) -> list[Path]:
    """The files of a language in a fixed order."""
    return sorted((mappings_folder() / "_texts" / folder).glob("*.po"))


def compile_all() -> None:
    """Compile the texts of every language, for a wheel."""
    for folder in _FOLDERS.values():
        compile_texts(text_files(folder), _compiled(folder))


def compile_texts(sources: list[Path], compiled: Path) -> bytes:
    """What gettext reads, made of the files of one language and kept in the file `compiled`. Empty where Babel is
    missing, which belongs to the development tools: then the texts are English."""
    try:
        from babel.messages.catalog import Catalog
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po
    except ImportError:
        _LOG.warning("Babel is not installed, so the texts are English")
        return b""
    together = Catalog(
        locale=sources[0].parent.name, creation_date=_ANY_DAY, revision_date=_ANY_DAY
    )  # Babel's own is the time of compiling, and two wheels would differ
    for path in sources:
        with path.open("rb") as file:
            for message in read_po(file):
                if message.id and message.string and not message.fuzzy:
                    together[message.id] = message
    buffer = io.BytesIO()
    write_mo(buffer, together)
    keep_file(compiled, buffer.getvalue())
    return buffer.getvalue()


def _compiled(folder: str) -> Path:
    return compiled_folder() / f"texts.{folder}.mo"


def _is_older(compiled: Path, sources: list[Path]) -> bool:
    """Whether a source, or the folder that lists them, was written after the copy."""
    if not sources:
        return False
    times = [path.stat().st_mtime_ns for path in (*sources, sources[0].parent)]
    return not compiled.is_file() or compiled.stat().st_mtime_ns < max(times)
