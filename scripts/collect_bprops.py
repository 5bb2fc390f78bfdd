"""Writes mappings/_frameworks/second_order/mindspore-<version>.json: for which operators the installed MindSpore has a
bprop, in C++ and in Python, and which operators each bprop emits. Run it with an interpreter that has MindSpore."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import importlib.metadata
import json
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from framework_facts.output import write_facts

ROOT = Path(__file__).resolve().parent.parent
TOOL = "1"  # raised when the extraction changes what it finds
FOLDER = ROOT / "mappings" / "_frameworks" / "second_order"

# Results of these carry no gradient, or the differentiation has its own rule for them: no bprop is looked up.
NEED_NO_BPROP = ("BroadcastGradientArgs", "MakeTuple")

TEXTS = ("libmindspore_frontend.so", "libmindspore_ops.so", "libmindspore_core.so", "libmindspore_common.so")
PRESENT = ("StridedSlice", "StridedSliceGrad", "Conv2D", "MaxPoolWithArgmaxV2")
ABSENT = ("StridedSliceGradOfNothing", "MaxPoolGradWithArgmaxV2")
COUNTS = {"2.10.0": (873, 179)}


class ExtractionError(Exception):
    """The extraction does not find what is known to be there."""


def collect() -> dict[str, Any]:
    """The sections of the file; raises ExtractionError if the self-check fails."""
    from second_order.elf import SharedLibrary, tails_of_text
    from second_order.registries import (
        LIBRARY,
        CompiledRegistry,
        primitive_names,
        python_bprops,
        python_links,
    )

    library = SharedLibrary(LIBRARY)
    registry = CompiledRegistry(library)
    primitives = primitive_names()
    # Some names are in no text of this library: older ones put them together from constants of others.
    candidates = primitives.union(
        *(tails_of_text(LIBRARY.with_name(name)) for name in TEXTS), other_versions()
    )
    in_cpp = sorted(name for name in candidates if registry.has(name))
    in_python = python_bprops()
    version = importlib.metadata.version("mindspore")
    sections: dict[str, Any] = {
        "framework": "mindspore",
        "version": version,
        "stamp": {
            "wheel_contents": wheel_contents(),
            "library": hashlib.sha256(library.data).hexdigest(),
            "tool": TOOL,
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        },
        "cpp_bprops": [name for name in in_cpp if not name.endswith(".NotReady")],
        "cpp_not_ready": [name.removesuffix(".NotReady") for name in in_cpp if name.endswith(".NotReady")],
        "python_bprops": sorted(in_python),
        "need_no_bprop": list(NEED_NO_BPROP),
        "links": None,
        "python_links": {name: python_links(bprop) for name, bprop in in_python.items()},
    }
    if registry.gives_records:
        operators = primitives | set(sections["cpp_bprops"]) | set(in_python)
        sections["links"] = compiled_links(library, registry, sections["cpp_bprops"], operators)
    check(sections)
    return sections


def other_versions() -> set[str]:
    """The names that are registered in the versions that were collected before."""
    found: set[str] = set()
    for path in FOLDER.glob("mindspore-*.json"):
        sections = json.loads(path.read_text(encoding="utf-8"))
        found.update(sections["cpp_bprops"], sections["python_bprops"])
    return found


def compiled_links(library: Any, registry: Any, names: list[str], operators: Any) -> dict[str, list[str]]:
    """What each compiled bprop emits."""
    from second_order.compiled_links import CompiledLinks, Holds

    bodies = {name: registry.body(name) for name in names}
    shared, uses = Counter(body.invoker for body in bodies.values()).most_common(1)[0]
    starts = {}
    for name, body in bodies.items():
        if body.invoker == shared and uses > 1:  # a plain function: its address is stored
            starts[name] = (body.stored, {"%rsi": Holds.BUILDER})
        else:
            starts[name] = (body.invoker, {"%rdx": Holds.POINTER})
    addresses = [address for address, _ in starts.values()]
    # The bprops, their helpers and the builder's methods lie together; what lies elsewhere is read one by one.
    library.disassemble(min(addresses) - 0x100000, max(addresses) + 0x10000)
    reader = CompiledLinks(library, frozenset(operators))
    return {name: sorted(reader.read(*start)) for name, start in starts.items()}


def check(sections: dict[str, Any]) -> None:
    """Raise ExtractionError if something that is known to be there was not found."""
    names = {*sections["cpp_bprops"], *sections["python_bprops"]}
    missing = [name for name in PRESENT if name not in names]
    invented = [name for name in ABSENT if name in names]
    if missing or invented:
        raise ExtractionError(f"not found: {missing}; found without being there: {invented}")
    wanted = COUNTS.get(sections["version"])
    compiled = len(sections["cpp_bprops"]) + len(sections["cpp_not_ready"])
    found = (compiled, len(sections["python_bprops"]))
    if wanted is not None and found != wanted:
        raise ExtractionError(
            f"{found[0]} bprops in C++ and {found[1]} in Python, not {wanted[0]} and {wanted[1]}"
        )
    links = sections["links"]
    if links is not None and links["MaxPoolWithArgmaxV2"].count("MaxPoolGradWithArgmaxV2") != 1:
        raise ExtractionError("the bprop of MaxPoolWithArgmaxV2 must emit MaxPoolGradWithArgmaxV2")


def wheel_contents() -> str:
    """One hash over the hashes of all files that the wheel brought, which an installation does not change."""
    files = importlib.metadata.files("mindspore") or []
    rows = sorted(f"{path} {path.hash.value}" for path in files if path.hash and path.parts[0] == "mindspore")
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def main() -> int:
    """Collect and write; 1 if the self-check fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="file (default: in mappings/_frameworks/second_order)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    try:
        sections = collect()
    except ExtractionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    output = options.output or FOLDER / f"mindspore-{sections['version']}.json"
    write_facts(output, sections)
    links = sections["links"] or {}
    names = {*sections["cpp_bprops"], *sections["python_bprops"], *NEED_NO_BPROP}
    open_ends = sum(any(name not in names for name in emitted) for emitted in links.values())
    print(
        f"{output.name}: {len(sections['cpp_bprops'])} bprops in C++ and {len(sections['cpp_not_ready'])} not ready, "
        f"{len(sections['python_bprops'])} in Python; {len(links)} read, {open_ends} of them emit an operator that "
        "has none"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
