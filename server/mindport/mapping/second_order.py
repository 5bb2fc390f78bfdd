"""What a gradient of a gradient does at one API: four independent answers, never one boolean.

The registry says whether every operator on the way has a bprop, measurements what came out, a hazard is a gradient that
PyNative cuts at a view, and the caveat says what the other three hang on. What none of them tells is unknown."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from mindport.mapping.judgement import Judgement
from mindport.mapping.second_order_arguments import SignatureSource, defaults_of, known_arguments
from mindport.mapping.second_order_lines import caveat_line, hazard_line, measured_line, registry_line
from mindport.mapping.second_order_side import SecondOrderSide
from mindport.mapping.second_order_variants import fitting, fitting_chains, measured, measured_name
from mindport.model.language import say
from mindport.model.target import Mode, Target
from mindport.model.verdict import Verdict
from mindport.registry.bprops import Chain, Measurement, Result
from mindport.usage.regions.link import ChainLink

NO_DEFAULTS: Mapping[str, str] = MappingProxyType({})
_NAMES = re.compile(r"\b(?:mindspore|ops|mint|nn)\.[\w.]+")
_ROOTS = {"ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn"}


class LinkOutcome(enum.Enum):
    """The kind of finding that says most about an API on a second-order link."""

    FINE = "fine"
    WRONG = "wrong"  # measured wrong on this device and in this mode
    MISSING = "missing"  # a link has no bprop: it raises
    REFUSED = "refused"  # every link is registered, and the run raises all the same
    HAZARD = "hazard"  # a view cuts the gradient in PyNative, as seen elsewhere than on this target
    UNKNOWN = "unknown"


class SecondOrder(msgspec.Struct, frozen=True):
    """The answer for one API. `api` is MindSpore's name (empty where none is known), `text` what MindSpore said where
    it raised, `link` the operator whose bprop emits one without, and that one. The four lines are for the card."""

    outcome: LinkOutcome
    api: str
    target: Target
    mode: Mode
    registry: str
    measured: str
    hazard: str
    caveat: str
    link: tuple[str, str] | None = None
    text: str = ""
    works_in_graph: bool = False
    is_always: bool = True  # whatever the shapes and other arguments

    def lines(self) -> tuple[str, ...]:
        """The four lines, each with its heading."""
        return (
            say("Registry: {registry}", registry=self.registry),
            say("Measured: {measured}", measured=self.measured),
            say("Hazard: {hazard}", hazard=self.hazard),
            say("Caveat: {caveat}", caveat=self.caveat),
        )


_WORST = (
    LinkOutcome.WRONG, LinkOutcome.MISSING, LinkOutcome.REFUSED, LinkOutcome.HAZARD, LinkOutcome.UNKNOWN,
    LinkOutcome.FINE,
)  # fmt: skip
_FAILURES = (LinkOutcome.WRONG, LinkOutcome.MISSING, LinkOutcome.REFUSED)


def judge_second_order(
    link: ChainLink,
    judgement: Judgement | None,
    target: Target,
    facts: SecondOrderSide,
    mindspore: SignatureSource,
    torch: SignatureSource,
) -> SecondOrder | None:
    """What a second order does at an API on a link; None where the torch name has no counterpart, so that there is
    nothing to differentiate. `judgement` is that of a torch use, None for MindSpore's own names. `mindspore` and
    `torch` give the signatures of either.

    Of several MindSpore names that a use becomes, the worst counts. Of torch code it is not settled what will be
    compiled, and the fix of `torch.autograd.grad` compiles the gradient: what is fine in PyNative has to be so in a
    graph, too."""
    mode = Mode.GRAPH if link.is_compiled else target.mode
    answer = _judge_in(mode, link, judgement, target, facts, mindspore, torch)
    if judgement is None or mode is Mode.GRAPH or answer is None or answer.outcome is not LinkOutcome.FINE:
        return answer
    compiled = _judge_in(Mode.GRAPH, link, judgement, target, facts, mindspore, torch)
    return compiled if compiled is not None and compiled.outcome in _FAILURES else answer


def _judge_in(
    mode: Mode,
    link: ChainLink,
    judgement: Judgement | None,
    target: Target,
    facts: SecondOrderSide,
    mindspore: SignatureSource,
    torch: SignatureSource,
) -> SecondOrder | None:
    use = link.use
    names = [use.api] if judgement is None else list(mindspore_names(judgement))
    if judgement is not None and judgement.verdict is Verdict.NONE:
        return None
    if not names or not names[0]:
        return _unknown("", target, mode)
    arguments = known_arguments(use, judgement, names[0], mindspore, torch) if len(names) == 1 else None
    if link.index:
        arguments = {"index": link.index}
    found = [
        second_order_of(
            name, target, mode, facts, arguments, link.is_wide, link.rank, defaults_of(name, mindspore)
        )
        for name in names
    ]
    if link.is_last:
        found = [_at_the_end(one) for one in found]
    return min(found, key=lambda one: _WORST.index(one.outcome))


def _at_the_end(answer: SecondOrder) -> SecondOrder:
    """The answer for a linear operation that nothing but linear ones follow: the gradient that PyNative would cut there
    is a constant, so that nothing is lost."""
    is_cut = answer.outcome is LinkOutcome.HAZARD or (
        answer.outcome is LinkOutcome.WRONG and answer.works_in_graph
    )
    if not is_cut:
        return answer
    caveat = say("nothing but linear operations follow, so what PyNative cuts here is a constant")
    return msgspec.structs.replace(answer, outcome=LinkOutcome.FINE, caveat=caveat)


def mindspore_names(judgement: Judgement) -> Iterable[str]:
    """The MindSpore names that a judged torch use becomes, best known first; none where nobody judged it."""
    if judgement.mindspore_name:
        return (judgement.mindspore_name,)
    case = judgement.case
    if judgement.verdict is Verdict.SAME and judgement.api.startswith("torch.Tensor."):
        return (judgement.api.replace("torch.", "mindspore.", 1),)
    if case is None:
        mapping = judgement.mapping
        calls = [mapping.cases[index].call for index in judgement.possible] if mapping is not None else []
        return tuple(dict.fromkeys(call for call in calls if call))
    if case.call:
        return (case.call,)
    if case.rewrite:
        return tuple(dict.fromkeys(_full(name) for name in _NAMES.findall(case.rewrite)))
    # A helper of our own stands for the nearest name.
    others = judgement.mapping.cases if judgement.mapping is not None else []
    return tuple(one.call for one in others if one.call and (not one.forms or judgement.form in one.forms))[
        :1
    ]


def _full(name: str) -> str:
    head, _, rest = name.partition(".")
    return f"{_ROOTS.get(head, head)}.{rest}"


def second_order_of(
    api: str,
    target: Target,
    mode: Mode,
    facts: SecondOrderSide,
    arguments: Mapping[str, str] | None = None,
    is_wide: bool = False,
    rank: int | None = None,
    defaults: Mapping[str, str] = NO_DEFAULTS,
) -> SecondOrder:
    """What a second order does at a MindSpore name in a mode. `arguments` are the constant ones as source, None where
    they cannot be read; `defaults` those that count where a call leaves one out; `rank` the dimensions of the first
    input."""
    known_as = measured_name(api, facts)
    every = [row for row in measured(known_as, facts) if row.result is not Result.NOT_RUN]
    rows, is_fit = fitting(every, arguments, defaults, is_wide, rank)
    here = [row for row in rows if row.device is target.device and row.mode is mode]
    chains = fitting_chains(facts.chain(known_as), arguments, defaults)
    outcome, row = _outcome(here, rows, chains, mode, is_fit=is_fit)
    missing = next((chain.missing[0] for chain in chains if chain.missing), None)
    if row is not None and row.missing and (missing is None or missing[1] != row.missing):
        missing = _named(chains, row.missing, facts)
    if outcome is not LinkOutcome.MISSING and row is not None and row.result is Result.RIGHT:
        missing = None
    in_graph = [one for one in rows if one.mode is Mode.GRAPH and one.device is target.device]
    works_in_graph = bool(in_graph) and all(one.result is Result.RIGHT for one in in_graph)
    return SecondOrder(
        outcome,
        api,
        target,
        mode,
        registry_line(chains, facts.compiled(known_as), missing, facts.collected_version),
        measured_line(rows, target.device, facts.measured_version),
        hazard_line(rows),
        caveat_line(api, known_as, every, here, arguments, target, facts),
        missing,
        row.text if row is not None else "",
        works_in_graph,
        len({one.result for one in here}) <= 1,
    )


def _outcome(
    here: Sequence[Measurement],
    rows: Sequence[Measurement],
    chains: Sequence[Chain],
    mode: Mode,
    *,
    is_fit: bool,
) -> tuple[LinkOutcome, Measurement | None]:
    for row in here:
        if row.result is Result.WRONG:
            return LinkOutcome.WRONG, row
    for row in here:
        if row.result is Result.RAISES:
            is_missing = bool(row.missing) or any(chain.missing for chain in chains)
            return (LinkOutcome.MISSING if is_missing else LinkOutcome.REFUSED), row
    if here:
        return (LinkOutcome.FINE, here[0]) if is_fit else (LinkOutcome.UNKNOWN, None)
    if chains and all(chain.missing for chain in chains):
        return LinkOutcome.MISSING, None
    # Measured on another device: the registry holds on each, and so does the way PyNative goes.
    for row in rows:
        if row.missing:
            return LinkOutcome.MISSING, row
    for row in rows:
        if mode is Mode.PYNATIVE and row.hazard:
            return LinkOutcome.HAZARD, row
    return LinkOutcome.UNKNOWN, None


def _named(chains: Sequence[Chain], operator: str, facts: SecondOrderSide) -> tuple[str, str]:
    """The link that leads to an operator without a bprop."""
    for chain in chains:
        for pair in (*chain.missing, *chain.possible):
            if pair[1] == operator:
                return pair
    return (" or ".join(facts.emitters(operator)), operator)


def _unknown(api: str, target: Target, mode: Mode) -> SecondOrder:
    return SecondOrder(
        LinkOutcome.UNKNOWN,
        api,
        target,
        mode,
        say("unknown"),
        say("not measured"),
        say("unknown"),
        say("what runs here is not known"),
    )
