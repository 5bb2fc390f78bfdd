"""Rewrites of a call by operators that every device has, besides the counterpart that the mapping names."""

from __future__ import annotations

from collections.abc import Iterator

from mindport.mapping.by_cases import binding_of
from mindport.mapping.other_ways import holds, other_ways
from mindport.mapping.plan import TorchSide
from mindport.model.language import say
from mindport.model.verdict import Applicability, Confidence
from mindport.rewrite.fill import template_pieces
from mindport.rewrite.pieces import Rewrite
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse


def rewritten_otherwise(use: ApiUse, lines: LineIndex, torch: TorchSide) -> Iterator[Rewrite]:
    """The other ways to write a use. None is safe: which of them is better, its author knows."""
    ways = other_ways().get(use.api, ())
    if not ways or use.call is None or use.guarded or use.confidence is Confidence.GUESSED:
        return
    for way in ways:
        binding = binding_of(use, way.form, torch.signatures(use.api))
        if not binding.overloads or not holds(way, binding, use.result):
            continue
        pieces = template_pieces(use, way.case, binding, lines)
        if pieces is not None:
            title = say("Write `{api}` by other operators: {why}", api=use.api, why=way.case.why)
            yield Rewrite(use.call.span, pieces, Applicability.UNSAFE, title, use.api)
