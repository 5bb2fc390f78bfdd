"""What the rules about places share: the words for what a varying shape costs on a target."""

from __future__ import annotations

from mindport.model.language import say
from mindport.model.target import Device, Mode, Target, Version
from mindport.rules.wording import target_words

# By the documentation of mindspore.jit: in 2.7 and 2.8 `backend` is GE on the first Ascend 910, in 2.9 ms_backend.
_GE_IS_DEFAULT = (Version(2, 7), Version(2, 9))


def cost(target: Target) -> str:
    """What a shape that depends on data costs on the target, as the end of a sentence."""
    where = target_words(target)
    if target.mode is Mode.PYNATIVE:
        return say(
            "nothing to do in PyNative on {where}, but a compiled graph has an open size from here on",
            where=where,
        )
    if target.device is Device.ASCEND:
        return say(
            "the graph on {where} has an open size from here on, known only while it runs, which the GE "
            "backend{default} does not take",
            where=where,
            default=default_of_ge(target),
        )
    return say("the graph on {where} has an open size from here on, known only while it runs", where=where)


def recompiles(target: Target) -> str:
    """What it costs that inputs come in many shapes."""
    if target.mode is Mode.PYNATIVE:
        return say(
            "nothing to do in PyNative on {target}, but a graph is compiled for each new shape",
            target=target_words(target),
        )
    return say("the graph on {target} is compiled again for each new shape", target=target_words(target))


def default_of_ge(target: Target) -> str:
    """Where the GE backend is what graphs are compiled by unless the code says otherwise, in brackets; else empty."""
    first, end = _GE_IS_DEFAULT
    if first <= target.version < end:
        return say(" (the default on Atlas training cards, not on Atlas A2)")
    return ""
