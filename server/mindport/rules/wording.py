"""The parts that messages are made of: the target, what to write instead, and the first sentence of an
explanation."""

from __future__ import annotations

import re

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import Case
from mindport.model.target import Target

RECEIVER = "input"  # a template of nothing but the value before the dot
LONGEST_REPLACEMENT = 90

_SENTENCE = re.compile(r"(.+?[.!?;])(?:\s|$)", re.DOTALL)


def target_words(target: Target) -> str:
    """`MindSpore 2.10.0 on CPU`."""
    return f"MindSpore {target.version} on {target.device.value}"


def write_words(judgement: Judgement) -> str:
    """`; write `mindspore.ops.relu``, or nothing where there is nothing to write."""
    text = replacement_text(judgement.replacement)
    if text == RECEIVER:
        return "; leave it out"
    if len(text) > LONGEST_REPLACEMENT:
        return "; the card shows what to write"
    return f"; write `{text}`" if text else ""


def case_words(case: Case) -> str:
    """What one of several possible cases says to write."""
    if case.verdict == "none":
        return "no equivalent"
    text = replacement_text(case.rewrite or case.call or case.helper or "")
    return f"`{text}`" if text else case.verdict


def replacement_text(text: str) -> str:
    """A target on one line, with the holes of a template as plain names."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return re.sub(r"\$(\*?)(\w+)", r"\1\2", lines[0] + (" ..." if len(lines) > 1 else "")) if lines else ""


def first_sentence(text: str) -> str:
    """The first sentence, or what stands before its first semicolon, to be joined into a message."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    return (match[1] if match else flat).rstrip(".;")


def lowered(text: str) -> str:
    """The text starting in lower case, unless its first word is a name (MindSpore, GELU, code)."""
    word = text.partition(" ")[0]
    if text.startswith("`") or any(letter.isupper() for letter in word[1:]):
        return text
    return text[:1].lower() + text[1:]
