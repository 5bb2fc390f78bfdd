"""What a run over one share of a project leaves for `mindport merge`: the reports of its files, and what the shares
must have in common for them to be the results of one run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mindport.checking.cache import common_digest
from mindport.checking.outcome import FileReport
from mindport.checking.sealed import sealed, unsealed
from mindport.config.problem import ConfigurationError
from mindport.config.settings import Settings
from mindport.model.language import say
from mindport.model.shares import missing_shares
from mindport.model.target import Target
from mindport.source.discovery import printable_path

_FORMAT = 1
_ENCODER = msgspec.msgpack.Encoder()


class Asked(msgspec.Struct, frozen=True):
    """What the command line of a run said: paths, settings, the file of settings, and whether fixes are written out."""

    paths: tuple[str, ...]
    settings: dict[str, object] = {}
    config_file: str | None = None
    with_edits: bool = False


class ShareFile(msgspec.Struct, frozen=True):
    """The `number`th of `count` shares. `reports` are packed, by the names of their files: unpacked they take several
    times the space. `digest` is that of the names of all files of the run and of what their reports depend on besides
    their texts."""

    number: int
    count: int
    asked: Asked
    digest: str
    reports: dict[str, msgspec.Raw]
    format: int = _FORMAT


_DECODER = msgspec.msgpack.Decoder(ShareFile)
_REPORT = msgspec.msgpack.Decoder(FileReport)


def run_digest(
    groups: Sequence[tuple[str, Settings, Target, Sequence[str]]], with_edits: bool = False
) -> str:
    """What the shares of one run have in common: `groups` have root, settings, target and files."""
    digest = hashlib.blake2b(digest_size=20)
    for root, settings, target, files in groups:
        digest.update(common_digest(root, settings, target, with_edits).digest())
        digest.update("\0".join(files).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def packed(report: FileReport) -> msgspec.Raw:
    """A report as it stands in a share. Raises ConfigurationError for names of files that are no UTF-8."""
    try:
        return msgspec.Raw(_ENCODER.encode(report))
    except UnicodeEncodeError:
        file = printable_path(report.path)
        raise ConfigurationError(
            [say("{file}: names that are no UTF-8 have no place in a share", file=file)]
        ) from None


def share_bytes(share: ShareFile) -> bytes:
    """The file of a share."""
    return sealed(_ENCODER.encode(share))


def read_share(content: bytes, path: str) -> ShareFile:
    """A share from its file. Raises ConfigurationError."""
    try:
        found = _DECODER.decode(unsealed(content) or b"")
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ConfigurationError([say("{file}: is no share of a check, or damaged", file=path)]) from None
    if found.format != _FORMAT:
        raise ConfigurationError([say("{file}: was written by another version of mindport", file=path)])
    return found


def complete_shares(shares: Mapping[str, ShareFile]) -> Asked:
    """What a run was asked for that these shares, by their files, are all of. Raises ConfigurationError where they are
    not all, or not of one run."""
    files = list(shares)
    first = shares[files[0]]
    problems = [
        say("{file}: is not of the same run as {first}", file=file, first=files[0])
        for file in files[1:]
        if (shares[file].asked, shares[file].count) != (first.asked, first.count)
    ]
    numbers = [share.number for share in shares.values()]
    problems = problems or missing_shares(numbers, first.count)
    if problems:
        raise ConfigurationError(problems)
    return first.asked


def merged_reports(shares: Sequence[ShareFile], files: Sequence[str]) -> Iterator[FileReport]:
    """The reports of the files in their order, as one run gives them. Raises ConfigurationError for a file that no
    share has."""
    by_path = {path: report for share in shares for path, report in share.reports.items()}
    for file in files:
        if file not in by_path:
            raise ConfigurationError([say("{file}: is in none of the shares", file=file)])
        yield _REPORT.decode(by_path[file])
