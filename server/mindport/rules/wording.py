"""The parts that messages are made of: the target, what to write instead, and the first sentence of an
explanation."""

from __future__ import annotations

import re

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import Case
from mindport.model.language import say, translated
from mindport.model.target import Target

RECEIVER = "input"  # a template of nothing but the value before the dot
LONGEST_REPLACEMENT = 90

_SENTENCE = re.compile(r"(.+?(?:[.!?;](?=\s|$)|[。！？；]))", re.DOTALL)


def target_words(target: Target) -> str:
    """`MindSpore 2.10.0 on CPU`."""
    return say("MindSpore {version} on {device}", version=target.version, device=target.device.value)


def write_words(judgement: Judgement) -> str:
    """`; write `mindspore.ops.relu``, or nothing where there is nothing to write."""
    text = replacement_text(judgement.replacement)
    if text == RECEIVER:
        return say("; leave it out")
    if len(text) > LONGEST_REPLACEMENT:
        return say("; the card shows what to write")
    return say("; write `{text}`", text=text) if text else ""


def case_words(case: Case) -> str:
    """What one of several possible cases says to write."""
    if case.verdict == "none":
        return say("no equivalent")
    text = replacement_text(case.rewrite or case.call or case.helper or "")
    return f"`{text}`" if text else translated(case.verdict)


def replacement_text(text: str) -> str:
    """A target on one line, with the holes of a template as plain names."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return re.sub(r"\$(\*?)(\w+)", r"\1\2", lines[0] + (" ..." if len(lines) > 1 else "")) if lines else ""


def because(message: str, reason: str) -> str:
    """The message and the first sentence of an explanation."""
    return say("{message}: {reason}", message=message, reason=lowered(first_sentence(reason)))


def besides(message: str, more: str) -> str:
    """The message and one more thing to know."""
    return say("{message}; {more}", message=message, more=more)


def first_sentence(text: str) -> str:
    """The first sentence, or what stands before its first semicolon, to be joined into a message."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    return (match[1] if match else flat).rstrip(".;。；")


def lowered(text: str) -> str:
    """The text starting in lower case, unless its first word is a name (MindSpore, GELU, code)."""
    word = text.partition(" ")[0]
    if text.startswith("`") or any(letter.isupper() for letter in word[1:]):
        return text
    return text[:1].lower() + text[1:]
