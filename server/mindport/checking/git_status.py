"""Asks git which files of a repository are changed, now or since a revision, without running what the repository brings
along: its own `.git/config` may come from an archive and name programs, which git starts for a mere question."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

from mindport.config.programs import program_on_path
from mindport.model.language import say

_SECONDS = 60
# The programs that git starts to tell what is changed. An empty value is none to every version of git.
_DISARMED = ("core.fsmonitor=", f"core.hooksPath={os.devnull}", "core.sshCommand=")
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",  # nothing is written, so no hook has an occasion
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone asks its remote for what it lacks
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
_FILTERS = r"^filter\..*\.(clean|smudge|process|required)$"
# A submodule has a configuration of its own, and its files are no files of this repository.
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
    "--ignore-submodules=all",
)

_DIFFERENCE = (
    *("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"),
    "--ignore-submodules=all",
)


class GitFailure(Exception):
    """Git gave no answer; the text says why."""


def changed_files(root: str) -> frozenset[str]:
    """The real paths of all files with changes in a repository. Raises GitFailure."""
    git = Git(root, os.environ)
    git.switch_filters_off()
    entries = (os.fsdecode(entry)[3:] for entry in git.answer(*_STATUS).split(b"\0") if entry)
    return frozenset(os.path.realpath(os.path.join(root, entry)) for entry in entries)  # noqa: PTH118


def changed_since(folder: str, revision: str) -> frozenset[str]:
    """The full paths of all files of the repository around a folder that differ from where its history and that of
    `revision` part, those that are gone and those that git does not know yet included. Raises GitFailure."""
    git = Git(folder, os.environ)
    git.switch_filters_off()
    top = os.fsdecode(git.answer("rev-parse", "--show-toplevel")).rstrip("\n")
    named = git.answer(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", nothing=1
    )
    if not named:
        raise GitFailure(say("git knows no revision {revision!r}", revision=revision))
    commit = named.decode().strip()
    # A shallow clone may not reach back to where the histories part; what differs then is more, never less.
    parting = git.answer("merge-base", commit, "HEAD", nothing=1).decode().strip() or commit
    listed = git.answer(*_DIFFERENCE, parting, "--").split(b"\0")
    listed += Git(top, os.environ).answer("ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
    # By the name that the user has for the folder, which a link may be a part of.
    start = os.path.abspath(os.path.join(folder, os.path.relpath(top, os.path.realpath(folder))))  # noqa: PTH100, PTH118
    return frozenset(
        f"{start.replace(os.sep, '/').rstrip('/')}/{os.fsdecode(name)}" for name in listed if name
    )


class Git:
    """Git in one repository, with its programs disarmed."""

    def __init__(self, root: str, environment: Mapping[str, str]) -> None:
        program = program_on_path("git", environment)
        if program is None:
            raise GitFailure(say("git is not installed"))
        given = [word for setting in _DISARMED for word in ("-c", setting)]
        self._command = [program, "--no-pager", *given, "-C", root]
        self._environment = {**environment, **_ENVIRONMENT}

    def switch_filters_off(self) -> None:
        """Give every filter that any configuration names an empty command: which files go through it the repository
        says. Raises GitFailure where that does not help, as with a git older than 2.31."""
        names = [name for name, value in self._filters() if value]
        if not names:
            return
        before = _number(self._environment.get("GIT_CONFIG_COUNT", ""))
        for place, name in enumerate(names, before):
            # By variables, because in `-c name=value` a name ends at its first `=`.
            self._environment[f"GIT_CONFIG_KEY_{place}"] = name
            self._environment[f"GIT_CONFIG_VALUE_{place}"] = "false" if name.endswith(".required") else ""
        self._environment["GIT_CONFIG_COUNT"] = str(before + len(names))
        last = dict(self._filters())
        armed = [name for name, value in last.items() if value not in ("", "false")]
        if armed:
            raise GitFailure(say("git would run a program ({setting})", setting=armed[0]))

    def _filters(self) -> list[tuple[str, str]]:
        """The settings of filters in the order in which they count, the last one of a name most."""
        listed = self.answer("config", "-z", "--get-regexp", _FILTERS, nothing=1)
        found = (os.fsdecode(entry).partition("\n") for entry in listed.split(b"\0") if entry)
        # A name without a value (`required`) is true.
        return [(name, value if line_end else "true") for name, line_end, value in found]

    def answer(self, *words: str, nothing: int = 0) -> bytes:
        """What git writes; `nothing` is the exit code by which it says that there is nothing."""
        try:
            done = subprocess.run(
                [*self._command, *words],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            raise GitFailure(say("git does not answer")) from None
        if done.returncode not in (0, nothing):
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = lines[0] if lines else say("no message")
            raise GitFailure(say("git fails ({reason})", reason=reason))
        return done.stdout


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
