"""What a gradient of a gradient does at one API: four independent answers, never one boolean.

The registry says whether every operator on the way has a bprop, measurements what came out, a hazard is a gradient that
PyNative cuts at a view, and the caveat says what the other three hang on. What none of them tells is unknown."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

import msgspec

from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import ArgumentRule
from mindport.model.target import Device, Mode, Target, Version
from mindport.model.verdict import Verdict
from mindport.registry.binding import bind
from mindport.registry.bprops import Chain, ChainState, Compiled, Measurement, Result
from mindport.registry.signature import Signature
from mindport.usage.api_use import ApiUse, Argument, TorchName
from mindport.usage.regions.link import Link

NO_DEFAULTS: Mapping[str, str] = MappingProxyType({})
# Containers, and casts that carry no gradient.
_INNOCENT = frozenset({"mindspore.nn.SequentialCell", "mindspore.nn.CellList", "mindspore.Tensor.astype"})
_BAD = (Result.WRONG, Result.RAISES)
_NAMES = re.compile(r"\b(?:mindspore|ops|mint|nn)\.[\w.]+")
_ROOTS = {"ops": "mindspore.ops", "mint": "mindspore.mint", "nn": "mindspore.nn"}
# Operators run as these functions; what was measured of one speaks for the other.
_FUNCTIONS_OF_OPERATORS = {
    "add": "add", "radd": "add", "iadd": "add", "sub": "sub", "rsub": "sub", "isub": "sub", "mul": "mul", "rmul": "mul",
    "imul": "mul", "truediv": "div", "rtruediv": "div", "itruediv": "div", "pow": "pow", "neg": "neg",
    "matmul": "matmul", "abs": "abs",
}  # fmt: skip


class SecondOrderSide(Protocol):
    """What the judgement asks the facts for; `registry.bprops.SecondOrderFacts` fits."""

    @property
    def collected_version(self) -> Version:
        """The version whose registry was read."""

    @property
    def measured_version(self) -> Version | None:
        """The version that was measured, if any."""

    def measured(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API alone."""

    def measured_together(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of an API with others."""

    def compiled(self, api: str) -> tuple[Compiled, ...]:
        """What compiling said of each variant of an API."""

    def emitters(self, operator: str) -> tuple[str, ...]:
        """The operators whose bprop may emit this one."""

    def chain(self, api: str) -> tuple[Chain, ...]:
        """The operators of each variant of an API, with what their bprops emit."""


class SignatureSource(Protocol):
    """Where signatures come from; `registry.mindspore.MindSporeFacts` fits."""

    def signatures(self, name: str) -> tuple[Signature, ...]:
        """The overloads of a name."""


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
            f"Registry: {self.registry}",
            f"Measured: {self.measured}",
            f"Hazard: {self.hazard}",
            f"Caveat: {self.caveat}",
        )


_WORST = (
    LinkOutcome.WRONG, LinkOutcome.MISSING, LinkOutcome.REFUSED, LinkOutcome.HAZARD, LinkOutcome.UNKNOWN,
    LinkOutcome.FINE,
)  # fmt: skip


def judge_second_order(
    link: Link,
    judgement: Judgement | None,
    target: Target,
    facts: SecondOrderSide,
    signatures: SignatureSource,
) -> SecondOrder | None:
    """What a second order does at an API on a link; None where the torch name has no counterpart, so that there is
    nothing to differentiate. `judgement` is that of a torch use, None for MindSpore's own names.

    Of several MindSpore names that a use becomes, the worst counts."""
    use = link.use
    mode = Mode.GRAPH if link.is_compiled else target.mode
    names = [use.api] if judgement is None else list(mindspore_names(judgement))
    if judgement is not None and judgement.verdict is Verdict.NONE:
        return None
    if not names or not names[0]:
        return _unknown("", target, mode)
    arguments = _arguments(use, judgement, names[0], signatures) if len(names) == 1 else None
    if link.index:
        arguments = {"index": link.index}
    found = [second_order_of(name, target, mode, facts, arguments, link.is_wide, link.rank) for name in names]
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
    caveat = "nothing but linear operations follow, so what PyNative cuts here is a constant"
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
    known_as = _measured_name(api, facts)
    every = [row for row in _measured(known_as, facts) if row.result is not Result.NOT_RUN]
    rows = _fitting(every, arguments, defaults, is_wide, rank)
    here = [row for row in rows if row.device is target.device and row.mode is mode]
    chains = _fitting_chains(facts.chain(known_as), arguments, defaults)
    outcome, row = _outcome(here, rows, chains, target.device, mode)
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
        _registry_line(chains, facts.compiled(known_as), missing, facts.collected_version),
        _measured_line(rows, target.device, facts.measured_version),
        _hazard_line(rows),
        _caveat_line(api, known_as, every, here, arguments, target, facts),
        missing,
        row.text if row is not None else "",
        works_in_graph,
        len({one.result for one in here}) <= 1,
    )


def _measured(api: str, facts: SecondOrderSide) -> Sequence[Measurement]:
    """What was measured of an API: alone, else together with others that are not themselves to blame."""
    alone = facts.measured(api)
    if alone:
        return alone
    return [
        row
        for row in facts.measured_together(api)
        if row.result is Result.RIGHT or _is_to_blame(api, row, facts)
    ]


def _is_to_blame(api: str, row: Measurement, facts: SecondOrderSide) -> bool:
    """Whether no other API of a measurement that went wrong is known or likely to go wrong by itself."""
    for other in set(row.apis) - _INNOCENT - {api}:
        alone = [one.result for one in facts.measured(other) if one.mode is row.mode]
        if not alone or any(result in _BAD for result in alone):
            return False
    return True


def _measured_name(api: str, facts: SecondOrderSide) -> str:
    """The name under which an API was measured: operators run as functions of `mindspore.ops`."""
    head, _, last = api.rpartition(".")
    function = _FUNCTIONS_OF_OPERATORS.get(last.strip("_")) if last.startswith("__") else None
    if function is not None and head == "mindspore.Tensor" and facts.measured(f"mindspore.ops.{function}"):
        return f"mindspore.ops.{function}"
    return api


def _fitting(
    rows: Sequence[Measurement],
    arguments: Mapping[str, str] | None,
    defaults: Mapping[str, str],
    is_wide: bool,
    rank: int | None,
) -> list[Measurement]:
    """The measurements that speak for a call with these arguments; all of them where none fits, so that the worst
    counts."""
    kept = [row for row in rows if row.of_all_inputs is is_wide] or list(rows)
    if rank is not None:
        kept = [row for row in kept if _rank(row) == rank] or kept
    if arguments is None:
        return kept
    same = [row for row in kept if row.arguments == dict(arguments)]
    return same or [row for row in kept if _fits(row.arguments, arguments, defaults)] or kept


def _rank(row: Measurement) -> int | None:
    """The dimensions of the first input that was measured."""
    shape = row.shapes.get("x") or next(iter(row.shapes.values()), None)
    return None if shape is None else len(shape)


def _fitting_chains(
    chains: Sequence[Chain], arguments: Mapping[str, str] | None, defaults: Mapping[str, str]
) -> Sequence[Chain]:
    if arguments is None:
        return chains
    same = [chain for chain in chains if chain.arguments == dict(arguments)]
    return same or [chain for chain in chains if _fits(chain.arguments, arguments, defaults)] or chains


def _fits(measured: Mapping[str, str], passed: Mapping[str, str], defaults: Mapping[str, str]) -> bool:
    """Whether the calls differ in nothing but sizes: another word or truth value is another branch."""
    if "index" in passed:
        return "index" in measured and _index_kinds(measured["index"]) == _index_kinds(passed["index"])
    names = measured.keys() | passed.keys()
    one, other = (
        {name: given.get(name, defaults.get(name)) for name in names} for given in (measured, passed)
    )
    return all(one[name] == other[name] or (_is_size(one[name]) and _is_size(other[name])) for name in names)


def _index_kinds(source: str) -> frozenset[str]:
    """What an index is made of: numbers, slices, None, an ellipsis, lists; a name may be anything."""
    inner = source[1:-1] if source.startswith("(") and source.endswith(")") else source
    try:
        index = ast.parse(f"x[{inner}]", mode="eval").body
    except SyntaxError:
        return frozenset((source,))
    parts = index.slice if isinstance(index, ast.Subscript) else index
    kinds = set()
    for part in parts.elts if isinstance(parts, ast.Tuple) else [parts]:
        number = part.operand if isinstance(part, ast.UnaryOp) else part
        kinds.add(type(number.value if isinstance(number, ast.Constant) else part).__name__)
    return frozenset(kinds)


def _is_size(source: str | None) -> bool:
    return source is None or not re.search(r"[A-Za-z\"']", source)


def _outcome(
    here: Sequence[Measurement],
    rows: Sequence[Measurement],
    chains: Sequence[Chain],
    device: Device,
    mode: Mode,
) -> tuple[LinkOutcome, Measurement | None]:
    for row in here:
        if row.result is Result.WRONG:
            return LinkOutcome.WRONG, row
    for row in here:
        if row.result is Result.RAISES:
            is_missing = bool(row.missing) or any(chain.missing for chain in chains)
            return (LinkOutcome.MISSING if is_missing else LinkOutcome.REFUSED), row
    if here:
        return LinkOutcome.FINE, here[0]
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


# -- the four lines


def _registry_line(
    chains: Sequence[Chain], compiled: Sequence[Compiled], missing: tuple[str, str] | None, version: Version
) -> str:
    if missing is not None:
        first, second = missing
        return (
            f"missing link {first} -> {second} (MindSpore {version})" if first else f"{second} has no bprop"
        )
    states = {chain.state for chain in chains}
    if states == {ChainState.COMPLETE}:
        return f"complete (MindSpore {version})"
    if ChainState.MISSING in states:
        return f"complete for some arguments only (MindSpore {version})"
    if compiled and all(one.state is ChainState.COMPLETE for one in compiled):
        return f"complete, as far as compiling tells (MindSpore {version})"
    return "unknown"


_WORDS = {Result.RIGHT: "right", Result.WRONG: "wrong", Result.RAISES: "raises"}
_MODES = {Mode.PYNATIVE: "PyNative", Mode.GRAPH: "graph mode"}


def _measured_line(rows: Sequence[Measurement], device: Device, version: Version | None) -> str:
    parts = []
    for mode in Mode:
        found = {_WORDS[row.result] for row in rows if row.mode is mode}
        if found:
            parts.append(f"{_MODES[mode]} {' or '.join(sorted(found))}")
    if not parts:
        return "not measured"
    where = ", ".join(sorted({row.device.value for row in rows}))
    other = "" if device.value in where else f"; not on {device.value}"
    return f"{', '.join(parts)} (MindSpore {version}, {where}){other}"


def _hazard_line(rows: Sequence[Measurement]) -> str:
    if any(row.hazard for row in rows):
        return "PyNative cuts the gradient at a view; run the inner gradient under `ms.jit`"
    return "none seen" if rows else "unknown"


def _caveat_line(
    api: str,
    known_as: str,
    every: Sequence[Measurement],
    here: Sequence[Measurement],
    arguments: Mapping[str, str] | None,
    target: Target,
    facts: SecondOrderSide,
) -> str:
    parts = []
    results = {
        row.result for row in every if here and (row.mode, row.device) == (here[0].mode, here[0].device)
    }
    if len(results) > 1:
        parts.append("it depends on the arguments and on which inputs are differentiated")
    if arguments is None and len({tuple(sorted(row.arguments.items())) for row in every}) > 1:
        parts.append("the arguments are not known here")
    if known_as != api:
        parts.append(f"measured as {known_as}")
    if facts.collected_version != target.version:
        parts.append(f"the data are of MindSpore {facts.collected_version}, not {target.version}")
    elif every and facts.measured_version != target.version:
        parts.append(f"measured with MindSpore {facts.measured_version}, not {target.version}")
    if every and all(row.device is not target.device for row in every):
        parts.append(f"nothing was run on {target.device.value}")
    return "; ".join(parts) or "none"


def _unknown(api: str, target: Target, mode: Mode) -> SecondOrder:
    return SecondOrder(
        LinkOutcome.UNKNOWN,
        api,
        target,
        mode,
        "unknown",
        "not measured",
        "unknown",
        "what runs here is not known",
    )


# -- arguments


def _defaults(name: str, signatures: SignatureSource) -> dict[str, str]:
    """The defaults of a MindSpore name, as source; of the first overload."""
    found = signatures.signatures(name)[:1]
    return {
        one.name: one.default
        for signature in found
        for one in signature.parameters
        if one.default is not None
    }


def _arguments(
    use: ApiUse, judgement: Judgement | None, name: str, signatures: SignatureSource
) -> dict[str, str] | None:
    """The constant arguments of the call under MindSpore's parameter names, as source; None where one is not known."""
    if use.call is None:
        return {}
    passed = use.call.arguments
    if any(argument.star for argument in passed):
        return None
    if judgement is None:
        bound = bind(signatures.signatures(name), passed)
        if bound.chosen is None:
            return None
        found: dict[str, str] = {}
        for parameter, places in bound.chosen.arguments.items():
            text = _source(passed[places[0]]) if len(places) == 1 else None
            if text is not None:
                found[parameter] = text
        return found
    return _renamed(passed, judgement)


def _renamed(passed: Sequence[Argument], judgement: Judgement) -> dict[str, str] | None:
    """Keywords of a torch call under the names that the mapping gives them; None where it is not that plain."""
    case = judgement.case
    if case is None:
        return None
    found: dict[str, str] = {}
    for argument in passed:
        text = _source(argument)
        if text is None:
            continue
        if argument.keyword is None:
            return None
        rule = case.args.get(argument.keyword, argument.keyword)
        if isinstance(rule, ArgumentRule):
            if rule.drop or rule.drop_when is not None:
                continue
            if rule.convert or rule.values:
                return None
            rule = rule.to or argument.keyword
        found[rule] = text
    return found


def _source(argument: Argument) -> str | None:
    """A literal as source; None for anything else."""
    if not argument.is_literal or isinstance(argument.value, TorchName):
        return None
    return repr(argument.value)
