"""Which of the differences that a case tells are about one call: what holds for `inplace=True` only says nothing of a
call that leaves it out, and what a computed difference would repeat need not be said twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mindport.mapping.bind import Binding
from mindport.mapping.judgement import Difference, DifferenceKind
from mindport.model.target import Mode, Target
from mindport.usage.api_use import ApiUse

# One short word, such as "With", may stand before the argument; "Without" says the opposite and is longer.
_FOR_VALUE = re.compile(r"\s*(?:[^\s`=]{1,6}\s+)?`?(?P<name>[A-Za-z_]\w*)=(?P<value>[\w.'\"-]+)")
_FOR_GRAPHS = re.compile(r"(?:in graph mode|图模式下|在图模式中)[^a-z]*$")


def is_about(sentence: str, use: ApiUse, binding: Binding, target: Target) -> bool:
    """Whether a difference may concern a use on a target. What is not certain does."""
    if target.mode is Mode.PYNATIVE and _FOR_GRAPHS.search(sentence):
        return False
    told = _FOR_VALUE.match(sentence)
    if told is None or use.call is None or len(binding.overloads) != 1:
        return True
    overload = binding.overloads[0]
    parameter = overload.signature.parameter(told["name"])
    if parameter is None:
        return True
    places = overload.places.get(told["name"])
    if not places:
        return parameter.default == told["value"] or any(one.star for one in binding.arguments)
    argument = binding.arguments[places[0]]
    return len(places) != 1 or not argument.is_literal or repr(argument.value) == told["value"]


def is_told(difference: Difference, texts: Iterable[str]) -> bool:
    """Whether other sentences of a card have all that a computed difference would say: both names of an argument, or
    both defaults."""
    if difference.kind is DifferenceKind.RENAMED:
        words = (difference.argument, difference.mindspore_argument)
    elif difference.kind is DifferenceKind.DEFAULT:
        words = (difference.torch_default, difference.mindspore_default)
    else:
        return False
    return any(all(_has(text, word) for word in words) for text in texts if text)


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w|\.\w)", text, re.ASCII) is not None
