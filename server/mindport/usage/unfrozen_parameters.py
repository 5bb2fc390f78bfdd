"""Whether a text gives parameters their gradients back, `for p in net.parameters(): p.requires_grad = True`, or takes
and gives them by a flag: an optimizer that was made before has them all, and passes over those that are frozen.

Tensors that are no parameters ask for gradients in the same words; the names tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OWNER = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*(?:\[[^\[\]\n]*\][\w.]*)*$")  # at the end of a text
_GIVEN = r"_\((?![ ]*False\b|[ ]*requires_grad[ ]*=[ ]*False\b)"
_SET = re.compile(rf"\.requires_grad(?:[ ]*[&|^]?=(?!=|[ ]*False\b)|{_GIVEN})")
_SET_OF_ITSELF = re.compile(rf"\bself\.requires_grad{_GIVEN}")
_SET_BY_NAME = re.compile(r"setattr\([^\n]*['\"]requires_grad['\"][ ]*,(?![ ]*False\b)")
# Goes through parameters, or through layers.
_THROUGH = (
    r"\bfor\b[^\n]*?\b{owner}\b[^\n]*?\bin\b[^\n]*(?:param|module|child|layer|block|weight|model|net\b)"
)
_NETWORKS = re.compile(
    r"(?:^|[._])(?:\w*(?:net|model|module|layer|backbone|coder|head|extractor|classifier|generator|discriminator|critic"
    r"|actor|policy|param)s?|features|fc|[GD](?=$|\.))\d*(?=$|[._\[])",
    re.IGNORECASE,
)


def unfreezes_parameters(text: str) -> bool:
    """Whether a text sets `requires_grad` of parameters, or of a network, to something else than False."""
    if "requires_grad" not in text:
        return False
    return bool(_SET_BY_NAME.search(text) or _SET_OF_ITSELF.search(text)) or any(
        names_network(owner)
        or (owner.isidentifier() and re.search(_THROUGH.format(owner=owner), text) is not None)
        for owner in dict.fromkeys(_owners(text))
    )


def names_network(owner: str) -> bool:
    """Whether a dotted name is that of a network, of a part of one or of a parameter."""
    return _NETWORKS.search(owner) is not None


def _owners(text: str) -> Iterator[str]:
    """What is written before each place where the flag is set: `net.fc` of `net.fc.requires_grad = True`."""
    for found in _SET.finditer(text):
        owner = _OWNER.search(text[text.rfind("\n", 0, found.start()) + 1 : found.start()])
        if owner is not None:
            yield owner[0]
