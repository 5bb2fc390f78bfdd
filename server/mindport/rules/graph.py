"""What the rules about graph mode share: the measured construct behind a place, and the words for it."""

from __future__ import annotations

from mindport.model.language import say
from mindport.model.target import Mode, Target
from mindport.registry.graph_mode import Construct, graph_constructs
from mindport.rules.wording import target_words
from mindport.usage.places import CodePlace


def construct_at(place: CodePlace, target: Target, outcome: str) -> Construct | None:
    """The construct at a place that is compiled on the target, if this is what becomes of it."""
    if target.mode is not Mode.GRAPH and not place.is_compiled:
        return None
    found = graph_constructs().get(place.name)
    return found if found is not None and found.on(target.version)[0] == outcome else None


def where(target: Target, construct: Construct) -> str:
    """`in a graph on MindSpore 2.10.0 on CPU`, with the version that was measured where that is another one."""
    version = construct.on(target.version)[1]
    measured = "" if version == str(target.version) else say(" (measured with {version})", version=version)
    return say("in a graph on {target}{measured}", target=target_words(target), measured=measured)
