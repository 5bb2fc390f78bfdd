"""Writes mappings/_frameworks/kernels/mindspore-<version>.json: which primitives of the installed MindSpore have
kernels on Ascend, GPU and CPU, and which primitives its API runs as. Run it with an interpreter that has MindSpore, on
any machine: the plugins of all devices come with its wheel, and what they register is read from their code.

`--compare [VERSION]` prints where the reading differs from calls that ran on CPU and from what is documented of
devices; the exit code is 1 where the calls agree with less than 99 %."""

from __future__ import annotations

import argparse
import importlib.metadata
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from framework_facts.output import write_facts

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "mappings" / "_frameworks" / "kernels"
TOOL = "1"  # raised when the extraction changes what it finds
LEAST_AGREEMENT = 0.99  # of what ran on CPU

# Done by the host or while a graph is compiled, whatever the device.
_WITHOUT_KERNEL = re.compile(
    r"Scalar[A-Z]\w+|\w+ToScalar|Rank|Size|Shape|TensorShape|DynamicShape|DType|Depend|Load|Make(Tuple|List)|\w*TupleTo\w+"
    r"|TensorTo(Tuple|List)|Tuple\w*|List\w*|Sequence\w+|\w+Summary|Print|IsInstance"
)
_CALLED = ("function", "method", "cell_class", "primitive_class", "optimizer_class")
_PLACES = ("mindspore.mint.", "mindspore.nn.", "mindspore.ops.", "mindspore.Tensor.", "mindspore.numpy.")


def collect() -> dict[str, Any]:
    """The sections of the file."""
    import mindspore

    from collect_bprops import wheel_contents
    from kernel_registries.devices import registered_kernels

    found = registered_kernels(Path(mindspore.__file__).parent)
    kernels = {
        f"{device}.{kind}": sorted(names) for device, kinds in found.items() for kind, names in kinds.items()
    }
    version = importlib.metadata.version("mindspore")
    return {
        "framework": "mindspore",
        "version": version,
        "stamp": {"wheel_contents": wheel_contents(), "tool": TOOL},
        "kernels": kernels,
        "aicpu_types": found["Ascend"]["aicpu"],
        "apis": apis(version, frozenset().union(*kernels.values())),
    }


def apis(version: str, registered: frozenset[str]) -> dict[str, list[list[str]]]:
    """The primitives that each API runs as, in alternatives that MindSpore chooses from. What nothing registers needs
    no kernel: it is done while a graph is compiled, or in Python."""
    from kernel_registries.dispatch import ways_of
    from mindport.model.target import Version
    from mindport.registry.mindspore import mindspore_facts

    facts = mindspore_facts(Version.parse(version))
    result = {}
    for name in sorted(facts.names()):
        if facts.kind(name) not in _CALLED or not name.startswith(_PLACES):
            continue
        if name.count(".") > 2 and name.startswith(("mindspore.nn.", "mindspore.ops.")):
            continue  # members of classes
        ways = [
            sorted(one for one in way if one in registered and not _WITHOUT_KERNEL.fullmatch(one))
            for way in ways_of(_value(name))
        ]
        kept = sorted(way for way in ways if way)
        if kept:
            result[name] = kept
    return result


def _value(name: str) -> Any:
    import mindspore

    value: Any = mindspore
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def compare(version: str) -> int:
    """Print the disagreements of the stored facts of a version; 1 where the CPU's agree too little."""
    from mindport.model.target import Device, Version
    from mindport.registry.kernels import kernel_facts
    from mindport.registry.mindspore import mindspore_facts

    mindspore = mindspore_facts(Version.parse(version) if version else None)
    kernels = kernel_facts(mindspore.collected_version)
    assert kernels is not None
    counts: Counter[str] = Counter()
    for name in sorted(mindspore.names()):
        ran = mindspore.has_kernel(name, Device.CPU)
        read = kernels.has(name, Device.CPU)
        if ran is None or read is None:
            continue
        counts["agree" if ran is read else "differ"] += 1
        if ran is not read:
            print(f"CPU     {name}: {'ran' if ran else 'did not run'}, {kernels.words(name, Device.CPU)}")
    for device in (Device.ASCEND, Device.GPU):
        for name, said in _documented(mindspore, device):
            read = kernels.has(name, device)
            counts[f"{device.value}: {_SAID[said]}, {_READ[read]}"] += 1
            if read is False and said:
                print(f"{device.value:7} {name}: documented, {kernels.words(name, device)}")
    share = counts["agree"] / (counts["agree"] + counts["differ"])
    for word, count in sorted(counts.items()):
        print(f"{count:6}  {word}")
    print(f"the reading agrees with {share:.2%} of the calls on CPU that it speaks of")
    return 0 if share >= LEAST_AGREEMENT else 1


def _documented(mindspore: Any, device: Any) -> Iterable[tuple[str, bool]]:
    for name in sorted(mindspore.names()):
        devices = mindspore.devices(name) if name.startswith(_PLACES) else None
        if devices is not None:
            yield name, device in devices


_SAID = {True: "documented", False: "not documented"}
_READ = {True: "kernels registered", False: "no kernel registered", None: "not known from the registries"}


def main() -> int:
    """Collect and write, or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="file (default: in mappings/_frameworks/kernels)")
    parser.add_argument(
        "--compare",
        nargs="?",
        const="",
        metavar="VERSION",
        help="print what the stored facts differ in (default: those of the newest version)",
    )
    options = parser.parse_args()
    if options.compare is not None:
        return compare(options.compare)
    warnings.simplefilter("ignore")
    sections = collect()
    output = options.output or FOLDER / f"mindspore-{sections['version']}.json"
    write_facts(output, sections)
    counts = ", ".join(f"{len(names)} {kind}" for kind, names in sections["kernels"].items())
    print(f"MindSpore {sections['version']}: {counts}; {len(sections['apis'])} APIs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
