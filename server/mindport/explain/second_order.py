"""What is known of second-order gradients, for hover cards and for `mindport explain --second-order`."""

from __future__ import annotations

from collections.abc import Sequence

from mindport.explain.target_words import MODES, target_words
from mindport.mapping.second_order import SecondOrder, second_order_of
from mindport.mapping.second_order_side import SecondOrderSide
from mindport.model.language import later, say, translated
from mindport.model.target import Target
from mindport.registry.bprops import Chain, ChainState, Measurement, Result
from mindport.registry.bprops import Link as ChainLink

_MOST_VARIANTS = 12
_STATES = {
    ChainState.COMPLETE: later("every link has its bprop"),
    ChainState.MISSING: later("a link is missing"),
    ChainState.UNKNOWN: later("not all of it is known"),
}
_RESULTS = {
    Result.RIGHT: later("right"),
    Result.WRONG: later("wrong"),
    Result.RAISES: later("raises"),
    Result.NOT_RUN: later("not run"),
}


def second_order_card(answer: SecondOrder, source: str = "") -> str:
    """The section of a hover card: the four lines, in markdown, and who spoke where that is not the data alone."""
    name = say(" of `{api}`", api=answer.api) if answer.api else ""
    lines = [
        say(
            "**Second-order gradient**{name}, {target}:",
            name=name,
            target=target_words(answer.target, answer.mode),
        ),
        "",
    ]
    lines += [f"- {line}" for line in answer.lines()]
    if source:
        lines += ["", source]
    return "\n".join(lines) + "\n"


def second_order_page(names: Sequence[str], target: Target, facts: SecondOrderSide) -> str:
    """All that is known of some MindSpore names: the four lines, the chain of operators as a tree, and what was
    measured, case by case."""
    return "\n".join(_section(name, target, facts) for name in names)


def _section(name: str, target: Target, facts: SecondOrderSide) -> str:
    answer = second_order_of(name, target, target.mode, facts)
    lines = [
        say("# {name}, differentiated twice", name=name),
        "",
        f"{target_words(target)}:",
        *answer.lines(),
        "",
    ]
    chains = facts.chain(name)
    if not chains:
        lines += [say("Which operators it runs as is not known."), ""]
    for chain in chains:
        lines += [*_tree(name, chain), ""]
    rows = facts.measured(name)
    if rows:
        lines += [
            say(
                "Measured with MindSpore {measured_version} against torch in float64:",
                measured_version=facts.measured_version,
            )
        ]
        lines += [_measured(row) for row in rows[:_MOST_VARIANTS]]
        if len(rows) > _MOST_VARIANTS:
            lines.append(say("  and {count} more", count=len(rows) - _MOST_VARIANTS))
        lines.append("")
    return "\n".join(lines)


def _tree(name: str, chain: Chain) -> list[str]:
    """The operators of one variant, and what their bprops emit."""
    arguments = ", ".join(f"{key}={value}" for key, value in chain.arguments.items())
    lines = [f"{name}({arguments}): {translated(_STATES[chain.state])}"]
    for number, link in enumerate(chain.links):
        _add(lines, link, "", number == len(chain.links) - 1, chain.seen)
    return lines


def _add(lines: list[str], link: ChainLink, indent: str, is_last: bool, seen: frozenset[str] | None) -> None:
    mark = "└─ " if is_last else "├─ "
    state = {True: "", False: say("  <- no bprop"), None: say("  <- not known")}[link.has_bprop]
    if indent and link.has_bprop is False and seen is not None and link.operator not in seen:
        state = say("  <- no bprop, on a branch that this variant does not take")
    lines.append(f"{indent}{mark}{link.operator}{state}")
    inner = indent + ("   " if is_last else "│  ")
    for number, emitted in enumerate(link.emits):
        _add(lines, emitted, inner, number == len(link.emits) - 1, seen)


def _measured(row: Measurement) -> str:
    where = f"{row.device.value}, {translated(MODES[row.mode])}"
    shapes = ", ".join(f"{name} {list(shape)}" for name, shape in row.shapes.items())
    which = say(", gradients of all inputs") if row.of_all_inputs else ""
    text = f" ({' '.join(row.text.split())[:160]})" if row.text else ""
    code = "; ".join(row.code.splitlines())
    return f"  {translated(_RESULTS[row.result]):8} {where}: {code}  [{shapes}{which}]{text}"
