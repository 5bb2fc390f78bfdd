"""What the rules about features share: which MindSpore names do the same work, and the first that the target has."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mindport.mapping.plan import MindSporeSide
from mindport.model.language import say, translated
from mindport.model.target import Target
from mindport.rules.wording import target_words
from mindport.usage.api_use import ApiUse


class Offer(msgspec.Struct, frozen=True):
    """A MindSpore name, and how to use it, to complete "name: ..."."""

    name: str
    how: str


def advice(
    use: ApiUse,
    target: Target,
    mindspore: MindSporeSide,
    starts: tuple[str, ...],
    work: str,
    offers: Sequence[Offer],
) -> str:
    """The advice about a use whose name is one of `starts` or lies below it; empty for other uses. `work` says what the
    code does there. Of the offers the first counts that the target has: in its version, on its device, not deprecated;
    the rest are what earlier or later versions have."""
    if not is_below(use.api, starts):
        return ""
    fitting = [offer for offer in offers if _fits(offer, target, mindspore)]
    current = [offer for offer in fitting if mindspore.deprecation(offer.name) is None]
    best = next(iter(current or fitting), None)
    where = target_words(target)
    if best is None:
        names = ", ".join(f"`{offer.name}`" for offer in offers)
        return say("{work}: {where} does not have {names}", work=translated(work), where=where, names=names)
    text = say(
        "{work}: {where} has `{best}`: {how}",
        work=translated(work),
        where=where,
        best=best.name,
        how=translated(best.how),
    )
    return text if current else say("{text}; it is deprecated", text=text)


def is_below(api: str, starts: tuple[str, ...]) -> bool:
    """Whether a name is one of `starts`, or lies below one."""
    return api.startswith(starts) and any(api == start or api.startswith(f"{start}.") for start in starts)


def _fits(offer: Offer, target: Target, mindspore: MindSporeSide) -> bool:
    devices = mindspore.devices(offer.name)
    return mindspore.has(offer.name) and (devices is None or target.device in devices)
