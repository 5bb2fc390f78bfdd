"""The parts of cards and pages: sentences, links, lists, and the blank lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from mindport.mapping.schema import Case
from mindport.mapping.versions import documented_words
from mindport.model.language import later, listing, say, translated
from mindport.model.target import Target
from mindport.registry.torch import torch_facts

_POLICIES = {
    "equivalent": later("Use an equivalent construct."),
    "compose": later("Compose it from other operators."),
    "custom-op": later("Write a custom operator (`mindspore.ops.Custom`)."),
    "community": later("Look for a port in the MindSpore community."),
}


def plain_text(card: str) -> str:
    """The card for clients that show no markdown: without emphasis, code marks and link brackets."""
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r"\1: \2", card)
    text = re.sub(r"^#+ ", "", text, flags=re.MULTILINE)
    return text.replace("**", "").replace("`", "")


def way_out(case: Case) -> list[str]:
    """What to do where nothing replaces a name, and what was tried."""
    lines = [translated(_POLICIES[case.policy])] if case.policy else []
    if case.tried:
        lines += [say("Tried:"), *(f"- {candidate}" for candidate in case.tried)]
    return lines


def removed(name: str) -> list[str]:
    """That torch has no such name any more, where that is so."""
    version = torch_facts().removed(name)
    if version is None:
        return []
    return [
        say("torch has had no `{name}` since {version}.", name=name, version=version)
        if version
        else say("torch has no `{name}` any more.", name=name)
    ]


def documented(name: str, target: Target) -> str:
    """What MindSpore's own tables say of a name."""
    said = documented_words(name, target.version)
    return sentence(said) if said else say("The documentation's tables have no row for it.")


def sentence(text: str) -> str:
    """A text with a capital and an end."""
    return full_stop(f"{text[:1].upper()}{text[1:]}")


def full_stop(text: str) -> str:
    """A sentence with its end; one that has it stays."""
    return text if text.endswith((".", "。")) else say("{sentence}.", sentence=text)


def link_list(names: list[str]) -> str:
    """The pages of some names."""
    return " | ".join(f"[{name}]({link})" for name in names if (link := _link(name)))


def _link(name: str) -> str:
    """The page of a name in the frameworks' documentation."""
    parts = name.split(".")
    if parts[0] == "torch":
        return f"https://docs.pytorch.org/docs/stable/generated/{name}.html"
    folder = parts[1] if len(parts) > 2 and parts[1] in ("ops", "nn", "mint") else "mindspore"
    if parts[1:2] == ["Tensor"]:
        folder = "mindspore/Tensor"
    language = say("en")  # of the documentation on mindspore.cn
    return f"https://www.mindspore.cn/docs/{language}/master/api_python/{folder}/{name}.html"


def listed(names: tuple[str, ...]) -> str:
    """The parameters that something depends on, in words."""
    words = [{"$result": say("what becomes of the result")}.get(name, f"`{name}`") for name in names]
    if words == ["`arguments`"]:
        return say("its arguments, which are not seen here,")
    return listing(words)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, a line for each row; what would end a cell is escaped."""
    lines = [headings, ["---"] * len(headings), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def tidy(lines: list[str]) -> str:
    """One text with a blank line between paragraphs and around lists, as markdown wants it."""
    out: list[str] = []
    for line in lines:
        last = out[-1] if out else ""
        goes_on = any(line.startswith(mark) and last.startswith(mark) for mark in ("- ", "    ", "| "))
        if line and last and not goes_on:
            out.append("")
        if line or last:
            out.append(line)
    return "\n".join(out).strip() + "\n"
