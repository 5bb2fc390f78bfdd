"""How a batch command ends: what was not there is told, and the exit code says whether the work was done."""

from __future__ import annotations

from mindport.cli.main import EXIT_FAILED, EXIT_FINDINGS
from mindport.cli.output import warn, warn_of
from mindport.cli.plan import RunPlan


def exit_code(plan: RunPlan, readable: int, has_findings: bool) -> int:
    """The exit code of a run that could read `readable` files: 2 where a named path is missing or no file at all
    could be read, 1 for findings, else 0."""
    warn_of(plan.missing)
    if not plan.file_count and not plan.problems:
        warn("warning: no Python files found")
    if plan.missing or (not readable and (plan.file_count or plan.problems)):
        return EXIT_FAILED
    return EXIT_FINDINGS if has_findings else 0
