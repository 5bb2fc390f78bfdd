"""What MindSpore does with options that its graphs are compiled with: run on CPU for whether they are taken, and
documented for which devices they change something."""

from __future__ import annotations

import functools

import msgspec

from mindport.model.target import Device, Version
from mindport.registry.location import mappings_folder


class CompileOption(msgspec.Struct, frozen=True):
    """One option of `calls`, passed as `keyword`, in which a dot leads into a dict; what is said of it counts for
    `values`, or for any where there are none. `code` gives it to a function `f` or a Cell `net` that is called with
    `x`, and `outcome` is what MindSpore `version` did on CPU: accepted or refused; `earlier` has older releases that
    did something else. The rest is documented: `devices` on which it has an effect (empty: all), that it compiles a
    `whole_graph`, which takes no open shapes, and the release since which it is `deprecated`. `instead` is what the
    keyword may be."""

    name: str
    calls: tuple[str, ...]
    keyword: str
    code: str
    outcome: str
    version: str
    values: tuple[str, ...] = ()
    text: str = ""
    earlier: dict[str, str] = {}
    devices: tuple[Device, ...] = ()
    whole_graph: bool = False
    deprecated: str = ""
    instead: str = ""

    def is_refused(self, target: Version) -> bool:
        """Whether a version raises for it."""
        for version, outcome in self.earlier.items():
            measured = Version.parse(version)
            if (measured.major, measured.minor) == (target.major, target.minor):
                return outcome == "refused"
        return self.outcome == "refused"

    def is_deprecated(self, target: Version) -> bool:
        """Whether a version says that it is going away."""
        return bool(self.deprecated) and target >= Version.parse(self.deprecated)


@functools.cache
def compile_options() -> tuple[CompileOption, ...]:
    """Every option; empty where the file is missing."""
    try:
        data = (mappings_folder() / "_graph" / "options.json").read_bytes()
    except OSError:
        return ()
    return tuple(msgspec.json.decode(data, type=list[CompileOption]))
