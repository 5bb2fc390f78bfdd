"""What the installed MindSpore says of its bprops, for the cards of a trusted workspace. It is asked in the background,
once for each interpreter that the user has chosen; until it has answered, the data that ship speak."""

from __future__ import annotations

import asyncio
import os
import weakref
from pathlib import Path

import msgspec

from mindport.config.interpreter import installed_mindspore, project_interpreter
from mindport.lsp.folder import Folder
from mindport.lsp.probing import ask_probe
from mindport.mapping.second_order import SecondOrder
from mindport.registry.bprops import second_order_facts
from mindport.registry.live_bprops import PROBE, SECONDS, facts_of_answer
from mindport.registry.probe import ProbeAnswer, ProbeFailure
from mindport.usage.regions.link import ChainLink


class Sourced(msgspec.Struct, frozen=True):
    """An answer, and who gave it in words; those are empty where nobody but the data could be asked."""

    answer: SecondOrder
    source: str


class InstalledBprops:
    """The answers of all interpreters of one connection. `is_allowed`: the workspace is trusted."""

    def __init__(self, is_allowed: bool) -> None:
        self._is_allowed = is_allowed
        # By the interpreter and the version that lies in its folders; None while it is asked.
        self._answers: dict[tuple[Path, str], ProbeAnswer | ProbeFailure | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._begun: weakref.WeakSet[Folder] = weakref.WeakSet()

    def begin(self, folder: Folder) -> None:
        """Ask for a project, the first time; looks at no folder after that, so it may be called at every key."""
        if folder not in self._begun:
            self._begun.add(folder)
            self.ask(folder)

    def ask(self, folder: Folder) -> tuple[Path, ProbeAnswer | ProbeFailure | None] | None:
        """The project's interpreter with its answer, None in place of one that has not come yet; the first call asks.
        None where there is no MindSpore, or it may not be run: what merely lies in the project is not run unasked."""
        if not self._is_allowed:
            return None
        installed = installed_mindspore(folder.settings.interpreter, Path(folder.root), os.environ)
        interpreter = project_interpreter(folder.loaded, os.environ)
        if installed is None or interpreter is None or not interpreter.is_chosen:
            return None
        key = (interpreter.path, str(installed.version))
        if key not in self._answers:
            self._answers[key] = None
            task = asyncio.get_running_loop().create_task(self._fetch(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return interpreter.path, self._answers[key]

    async def _fetch(self, key: tuple[Path, str]) -> None:
        operators = sorted(second_order_facts().operators())
        self._answers[key] = await ask_probe(key[0], PROBE, {"operators": operators}, SECONDS)

    def second_order(self, folder: Folder, link: ChainLink) -> Sourced | None:
        """What a gradient of a gradient does at an API on a link, by the installed MindSpore as far as it has answered
        and is of the target's version. None where the API has no counterpart at all."""
        shipped = folder.engine.second_order(link)
        if shipped is None:
            return None
        found = self.ask(folder)
        if found is None:
            return Sourced(shipped, "")
        interpreter, answer = found
        facts = folder.engine.second_order_facts
        by_data = f"by the data of MindSpore {facts.collected_version}"
        if answer is None:
            return Sourced(shipped, f"{interpreter} has not yet said which bprops it has; {by_data}.")
        live = facts_of_answer(facts, answer)
        if isinstance(live, ProbeFailure):
            return Sourced(shipped, f"{_of(live, interpreter)}; {by_data}.")
        if live.collected_version != folder.target.version:
            other = (
                f"{interpreter} has MindSpore {live.collected_version}, the target is {folder.target.version}"
            )
            return Sourced(shipped, f"{other}; {by_data}.")
        source = f"Bprops: asked of the MindSpore {live.collected_version} of {interpreter}."
        by_installed = folder.engine.second_order_by(link, live) or shipped
        differing = (f"{one}." for one in live.disagreements(by_installed.api))
        return Sourced(by_installed, " ".join([source, *differing]))


def _of(failure: ProbeFailure, interpreter: Path) -> str:
    """The reason as a sentence that names the interpreter."""
    name = str(interpreter)
    return failure.reason if name in failure.reason else f"{name}: {failure.reason}"
