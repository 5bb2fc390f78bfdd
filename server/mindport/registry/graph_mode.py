"""What MindSpore's graph mode does with constructs of Python: measured, one entry for each."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import msgspec

from mindport.model.target import Version
from mindport.registry.location import mappings_folder


class Construct(msgspec.Struct, frozen=True):
    """One construct. `code` is the body of a `construct(self, x)` that shows it, with what `setup` defines in the
    module and `init` in the object; `observe` is looked at after two calls. `outcome` is what MindSpore `version`
    did in graph mode where PyNative accepts it: accepted, refused, differs, frozen (the same in every call), lost
    (a side effect), no gradient (it is 0) or crashes; `earlier` has what older releases do where that is something
    else. `says` names it in a message, `instead` says what to write; what has neither is not looked for in code."""

    name: str
    code: str
    outcome: str
    version: str
    setup: str = ""
    init: str = ""
    observe: str = ""
    text: str = ""
    says: str = ""
    instead: str = ""
    earlier: dict[str, str] = {}

    def on(self, target: Version) -> tuple[str, str]:
        """What becomes of it on a version, and the version that was measured."""
        for version, outcome in self.earlier.items():
            measured = Version.parse(version)
            if (measured.major, measured.minor) == (target.major, target.minor):
                return outcome, version
        return self.outcome, self.version


@functools.cache
def graph_constructs() -> Mapping[str, Construct]:
    """Every construct by its name; empty where the file is missing."""
    try:
        data = (mappings_folder() / "_graph" / "constructs.json").read_bytes()
    except OSError:
        return {}
    return {one.name: one for one in msgspec.json.decode(data, type=list[Construct])}
