"""The tools: each runs one command of mindport and gives its result in rows. Only those that say so write files, and
only `try_port` runs the user's code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from mcp.server.mcpserver.exceptions import ToolError

from mindport.agent.places import OutsideError, inside
from mindport.agent.results import CheckResult, FixResult, PageResult, PortResult, check_result, cut
from mindport.agent.run import Done, run
from mindport.report.rows import CheckOutput

Severity = Literal["hint", "information", "warning", "error"]


class Tools:
    """The tools of one server, which work in the folder `root`; `interpreter` is the Python that the user named for
    trials, else empty. The docstrings are what agents read."""

    def __init__(self, root: Path, interpreter: str = "") -> None:
        self._root = root
        self._interpreter = interpreter

    async def check(
        self,
        paths: Sequence[str] = (".",),
        codes: Sequence[str] = (),
        min_severity: Severity = "information",
        limit: int = 100,
        with_baseline: bool = True,
    ) -> CheckResult:
        """Find every use of torch that MindSpore lacks or treats differently, for the project's target.

        `codes` are rules or beginnings of rules (MP101, MP1). Findings that the project has accepted in its baseline
        are left out unless `with_baseline` is false. Nothing is changed and no code of the project is run."""
        options = ["--output-format", "json", "--min-severity", min_severity, "--exit-zero"]
        options += [f"--select={code}" for code in codes]
        options += [] if with_baseline else ["--no-baseline"]
        done = await self._run("check", *options, "--", *self._inside(paths))
        return check_result(msgspec.json.decode(done.out, type=CheckOutput), limit)

    async def explain(self, subject: str) -> dict[str, Any]:
        """Explain a rule (MP101) or a torch name (torch.nn.Conv2d, F.relu): every case with the MindSpore code for it,
        what differs silently, the evidence of runs, and what is left to do where there is no equivalent."""
        done = await self._run("explain", "--json", "--", subject)
        found: dict[str, Any] = json.loads(done.out)
        return found

    async def second_order(self, name: str) -> PageResult:
        """What a gradient of a gradient does at a name of MindSpore or torch: mindspore.ops.max_pool2d, nn.ELU."""
        return PageResult(*cut((await self._run("explain", "--second-order", "--", name)).out))

    async def preview_fix(self, paths: Sequence[str], unsafe: bool = False) -> FixResult:
        """Show as a patch what `fix` would change. Safe fixes were proved by running both frameworks; `unsafe` ones are
        to be looked at. Nothing is changed."""
        options = ["--diff", *(["--unsafe-fixes"] if unsafe else [])]
        done = await self._run("fix", *options, "--", *self._inside(paths))
        return FixResult(False, *cut(done.out), said=done.errors)

    async def fix(self, paths: Sequence[str], unsafe: bool = False) -> FixResult:
        """Change files in place by the fixes that `preview_fix` shows. Files with uncommitted changes are refused, so
        that each step can be taken back with git."""
        named = self._inside(paths)
        options = ["--unsafe-fixes"] if unsafe else []
        preview = await self._run("fix", "--diff", *options, "--", *named)
        done = await self._run("fix", *options, "--", *named)
        return FixResult(True, *cut(preview.out), said=done.errors)

    async def port(self, source: str, destination: str) -> PortResult:
        """Port a project: write a converted copy of the folder `source` into the folder `destination`, and say what is
        to be reviewed and what is left. Run again, it takes up what changed in the source and leaves alone what was
        edited in the port. No code of the project is run."""
        source, destination = self._inside([source, destination])
        done = await self._run("port", "--no-try", "-o", destination, "--", source)
        report = self._root / destination / "PORT.md"
        text = report.read_text("utf-8", "replace") if report.is_file() else done.out
        said, _ = cut(done.errors)
        return PortResult(destination, done.code == 0, *cut(text), said=said)

    async def try_port(
        self, folder: str, entry: str = "", inputs: Sequence[str] = (), seconds: int = 120
    ) -> dict[str, Any]:
        """RUNS THE CODE of a port: imports its files and runs its scripts up to a training step, without torch, and
        says by lines where they stop. `entry` is a command (train.py --epochs 1) or an expression that builds a network
        (model.py: Net(10)), whose arguments are `inputs` (randn(2, 3, 32, 32))."""
        options = ["--json", "--seconds", str(seconds)]
        options += [f"--interpreter={self._interpreter}"] if self._interpreter else []
        options += [f"--entry={entry}"] if entry else []
        options += [f"--input={one}" for one in inputs]
        done = await self._run("try", *options, "--", *self._inside([folder]), succeeds_with=(0, 1, 2))
        try:
            found: dict[str, Any] = json.loads(done.out)
        except ValueError:
            raise ToolError(done.errors.strip() or "nothing could be tried") from None
        return found

    def _inside(self, paths: Sequence[str]) -> list[str]:
        try:
            return [inside(self._root, path) for path in paths]
        except OutsideError as error:
            raise ToolError(str(error)) from None

    async def _run(self, *arguments: str, succeeds_with: Sequence[int] = (0, 1)) -> Done:
        try:
            done = await run(self._root, *arguments)
        except TimeoutError:
            raise ToolError("this took too long and was ended; name fewer paths") from None
        if done.code not in succeeds_with:
            said, _ = cut(done.errors.strip() or f"mindport ended with {done.code}")
            raise ToolError(said)
        return done
