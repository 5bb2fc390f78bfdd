"""The baselines of a run: one beside the settings of each group of files, where there is one."""

from __future__ import annotations

import os
from pathlib import Path

from mindport.checking.baseline import BASELINE_FILE, Baseline, Matching, read_baseline
from mindport.cli.output import warn
from mindport.cli.plan import Group, RunPlan
from mindport.config.problem import ConfigurationError
from mindport.model.language import say


def baseline_path(group: Group) -> Path:
    """Where the baseline of a group lies, or would lie."""
    return Path(group.loaded.root, BASELINE_FILE)


def baseline_of(group: Group) -> Baseline | None:
    """The baseline of a group; None where it has none. Raises ConfigurationError for one that cannot be used."""
    path = baseline_path(group)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigurationError(
            [say("{file}: cannot be read: {reason}", file=path, reason=error.strerror)]
        ) from error
    return read_baseline(content, str(path))


def matching_of(group: Group, baseline: Baseline) -> Matching:
    """What goes through the reports of a group. Tells the user of a baseline for another target, which has other
    findings."""
    target = str(group.target)
    if baseline.target and baseline.target != target:
        warn(
            say(
                "warning: {file} was written for {before}, this run is for {now}",
                file=baseline_path(group),
                before=baseline.target,
                now=target,
            )
        )
    return Matching(baseline, group.loaded.root, group.loaded.settings.fails_from, os.path.exists)


def baselines_of(plan: RunPlan) -> dict[str, Matching]:
    """What goes through the reports of each group that has a baseline, by the folder of its settings. Raises
    ConfigurationError."""
    found = ((group, baseline_of(group)) for group in plan.groups)
    return {
        group.loaded.root: matching_of(group, baseline) for group, baseline in found if baseline is not None
    }
