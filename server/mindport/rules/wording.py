"""The parts that messages are made of: the target, what to write instead, and the first sentence of an
explanation."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import Case
from mindport.mapping.versions import is_only_documented
from mindport.model.finding import Finding
from mindport.model.language import say, translated
from mindport.model.target import Target

# Templates of nothing but the value before the dot, or what a decorator is above.
LEAVING_OUT = frozenset(("input", "decorated"))
LONGEST_REPLACEMENT = 90

_SENTENCE = re.compile(r"(.+?(?:[.!?;](?=\s|$)|[。！？；]))", re.DOTALL)


def target_words(target: Target) -> str:
    """`MindSpore 2.10.0 on CPU`; of a release that nothing was run with, it says so."""
    where = say("MindSpore {version} on {device}", version=target.version, device=target.device.value)
    return say("{target} (not run there)", target=where) if is_only_documented(target.version) else where


def without_target(finding: Finding, target: Target) -> Finding:
    """A finding that does not name the target, for where that stands once beside all of them; in the language in
    force."""
    words = target_words(target)
    message = finding.message
    for phrase in (say(" on {target}", target=words), say(" in {target}", target=words)):
        message = message.replace(phrase, "")
    return finding if message == finding.message else msgspec.structs.replace(finding, message=message)


def unsaid(judgement: Judgement, messages: Sequence[str]) -> Judgement:
    """A judgement without those sentences that begin its explanations and stand in messages about the same place, which
    are shown beside its card."""
    case = judgement.case
    return msgspec.structs.replace(
        judgement,
        silent=_rest(judgement.silent, messages),
        case=None if case is None else msgspec.structs.replace(case, why=_rest(case.why, messages)),
    )


def _rest(text: str, messages: Sequence[str]) -> str:
    """A text behind its first sentence, where a message has that."""
    first = first_sentence(text)
    if not first or not any(lowered(first) in message for message in messages):
        return text
    rest = " ".join(text.split())[len(first) :].lstrip(".;。；!? ")
    return rest if _is_name(rest) else f"{rest[:1].upper()}{rest[1:]}"


def write_words(judgement: Judgement) -> str:
    """`; write `mindspore.ops.relu``, or nothing where there is nothing to write."""
    text = replacement_text(judgement.replacement)
    if text in LEAVING_OUT:
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
    return text if _is_name(text) else text[:1].lower() + text[1:]


def _is_name(text: str) -> bool:
    """Whether a text begins with a name, whose letters stay as they are."""
    word = text.partition(" ")[0]
    return text.startswith("`") or any(letter.isupper() for letter in word[1:])
