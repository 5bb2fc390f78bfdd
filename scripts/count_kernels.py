"""Counts for how many of the MindSpore names that mappings write kernels are registered on each device, and prints one
table. With `--uses FOLDER`, for how many uses of torch in a folder a replacement is run, registered or only documented,
by device; `--documentation-only` leaves the registries out, as it was before they were read."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mindport.mapping.index import load_index
from mindport.mapping.judge import judge
from mindport.mapping.plan import target_names
from mindport.model.target import Device, Target
from mindport.model.verdict import Verdict
from mindport.registry import kernels
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts
from mindport.usage.project import Project

_ANSWERS = {True: "registered", None: "not known", False: "none registered"}
_DOCUMENTED = {True: "documented", None: "says nothing", False: "documented for others"}
_PLACES = ("mindspore.Tensor.", "mindspore.mint.", "mindspore.nn.", "mindspore.ops.")


def written_names() -> list[str]:
    """The names in all cases that may run kernels."""
    cases = [case for _, mapping in load_index().mappings() for case in mapping.cases]
    return sorted({name for case in cases for name in target_names(case) if name.startswith(_PLACES)})


def print_names(names: list[str]) -> None:
    """The table of names by device: what is registered, documented, and was called on CPU."""
    mindspore = mindspore_facts()
    facts = kernels.kernel_facts(mindspore.collected_version)
    assert facts is not None
    print(f"{len(names)} names of MindSpore {mindspore.collected_version} that mappings write")
    for device in Device:
        counts = Counter((_ANSWERS[facts.has(name, device)], _said(name, device)) for name in names)
        for (read, said), count in sorted(counts.items()):
            print(f"{count:6}  {device.value:7} {read}, {said}")
    calls = Counter((mindspore.has_kernel(name, Device.CPU), facts.has(name, Device.CPU)) for name in names)
    both = {pair: count for pair, count in calls.items() if None not in pair}
    agree = sum(count for (ran, read), count in both.items() if ran is read)
    print(f"calls on CPU agree with {agree} of the {sum(both.values())} that are called and known")


def _said(name: str, device: Device) -> str:
    devices = mindspore_facts().devices(name)
    return _DOCUMENTED[None if devices is None else device in devices]


def print_uses(files: Iterable[Path], folder: Path) -> None:
    """The table of uses by device: how good what stands for them is known to be."""
    project = Project(str(folder))
    paths = []
    for path in files:
        try:
            project.add(str(path), path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, SyntaxError):
            continue
        paths.append(str(path))
    uses = [use for path in paths for use in project.usage(path).uses]
    version = mindspore_facts().collected_version
    index = load_index()
    print(f"{len(uses)} uses of torch in {len(paths)} files")
    for device in Device:
        target = Target(version, device)
        counts: Counter[str] = Counter()
        for use in uses:
            found = judge(use, target, index, torch_facts(), mindspore_facts(version))
            if found.case is not None and found.verdict is not Verdict.NONE:
                counts[found.grade.value if found.grade is not None else "a run disagreed"] += 1
            elif found.possible:
                counts["depends on arguments"] += 1
            elif found.verdict is Verdict.NOT_JUDGED:
                counts["not judged"] += 1
            else:
                counts["no kernel, or not for the device" if found.device_reason else "nothing"] += 1
        for word, count in counts.most_common():
            print(f"{count:6}  {count / len(uses):6.1%}  {device.value:7} {word}")


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--uses", type=Path, metavar="FOLDER", help="count the uses in the Python files below it"
    )
    parser.add_argument("--documentation-only", action="store_true", help="leave the registries out")
    options = parser.parse_args()
    if options.documentation_only:
        kernels._files = dict  # type: ignore[assignment]  # as if none was collected
    if options.uses is not None:
        print_uses(sorted(options.uses.rglob("*.py")), options.uses)
    else:
        print_names(written_names())
    return 0


if __name__ == "__main__":
    sys.exit(main())
