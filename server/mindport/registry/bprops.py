"""What is known of second-order gradients in a MindSpore version: which operators have a bprop, what the bprops emit,
which operators an API runs as, and what was measured against torch.

The two kinds of knowledge are independent. A missing bprop always raises; that none is missing does not make the result
right. What neither tells is unknown, never supported."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from mindport.model.target import Device, Mode, Version
from mindport.registry.location import frameworks_folder

_MISSING = re.compile(r"Illegal primitive:? (?:Primitive )?(?P<name>\w+)'s bprop not defined")
_NO_KERNEL = "compiles, has no kernel here"
_ANYWHERE = ("ZerosLike", "ZerosLikeExt")  # nearly every bprop has them on some branch
_DEPTH = 2  # operators of the API, and those that their bprops emit: what a second order differentiates


class Result(enum.Enum):
    """What measuring a second-order gradient showed."""

    RIGHT = "right"
    WRONG = "wrong"
    RAISES = "raises"
    NOT_RUN = "not_run"


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one mode. `arguments` are the constant arguments by parameter name, as source; `shapes` those of the
    tensor inputs. `of_all_inputs`: the penalty is on the gradients of all inputs, not only of the first. `missing` is
    the operator without a bprop that the text names. `hazard`: graph mode is right where PyNative is wrong."""

    apis: tuple[str, ...]
    arguments: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    code: str
    torch: str
    device: Device
    mode: Mode
    of_all_inputs: bool
    result: Result
    text: str
    hazard: bool

    @property
    def missing(self) -> str:
        """The operator whose bprop MindSpore missed; empty if that is not what happened."""
        found = _MISSING.search(self.text)
        return found["name"] if found else ""


class ApiPrimitives(msgspec.Struct, frozen=True, kw_only=True):
    """The operators that an API ran as on a device, and those that its differentiation added."""

    arguments: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    device: Device
    forward: tuple[str, ...]
    backward: tuple[str, ...] | None


class Link(msgspec.Struct, frozen=True):
    """An operator in a chain, and what its bprop may emit; `is_read` is false where nobody knows what that is."""

    operator: str
    has_bprop: bool | None
    emits: tuple[Link, ...] = ()
    is_read: bool = True


class ChainState(enum.Enum):
    """Whether each link of a chain has its bprop."""

    COMPLETE = "complete"
    MISSING = "missing"
    UNKNOWN = "unknown"


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """The operators of one variant of an API with what their bprops may emit. `seen` are the operators that were
    emitted when the variant was differentiated; None where that is not known."""

    arguments: dict[str, str]
    links: tuple[Link, ...]
    seen: frozenset[str] | None = None

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """Pairs of an operator and one without a bprop that its bprop emits, on the branch that was seen to be taken
        where that is known. Of a bprop that nothing was seen of, because the gradient was cut off before it, every
        branch counts."""
        return tuple(
            dict.fromkeys(
                (link.operator, emitted.operator)
                for link in self.links
                for emitted in link.emits
                if emitted.has_bprop is False and self._may_be_taken(link, emitted.operator)
            )
        )

    def _may_be_taken(self, link: Link, operator: str) -> bool:
        if self.seen is None or operator in self.seen:
            return True
        # What runs forward is not told apart from the same operator on the way back.
        shown = self.seen.union(one.operator for one in self.links)
        return all(one.operator not in shown or one.operator in _ANYWHERE for one in link.emits)

    @property
    def possible(self) -> tuple[tuple[str, str], ...]:
        """Like `missing`, for branches that other arguments or devices take."""
        taken = set(self.missing)
        pairs = (
            (link.operator, emitted.operator)
            for link in self.links
            for emitted in link.emits
            if emitted.has_bprop is False
        )
        return tuple(dict.fromkeys(pair for pair in pairs if pair not in taken))

    @property
    def state(self) -> ChainState:
        """Missing if a link is; unknown if there is no link, or an operator that nobody knows."""
        if self.missing or any(link.has_bprop is False for link in self.links):
            return ChainState.MISSING
        known = all(link.has_bprop and link.is_read for link in self.links)
        return ChainState.COMPLETE if self.links and known else ChainState.UNKNOWN


class CompiledVariant(msgspec.Struct, frozen=True, kw_only=True):
    """What compiling the second order in graph mode said of a variant of an API. Bprops are looked for before
    kernels, so it holds for other devices too, as far as the API runs as the same operators there."""

    arguments: dict[str, str]
    state: ChainState
    missing: str = ""


class _Registry(msgspec.Struct, frozen=True):
    """The file that scripts/collect_bprops.py writes."""

    version: str
    stamp: dict[str, str]
    cpp_bprops: frozenset[str]
    cpp_not_ready: frozenset[str]
    python_bprops: frozenset[str]
    need_no_bprop: frozenset[str]
    links: dict[str, tuple[str, ...]] | None
    python_links: dict[str, tuple[str, ...]]


class _Case(msgspec.Struct, frozen=True):
    apis: tuple[str, ...]
    code: str
    torch: str
    arguments: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    forward: tuple[str, ...] | None = None
    backward: tuple[str, ...] | None = None
    pynative: tuple[Result, str] | None = None
    pynative_all: tuple[Result, str] | None = None
    graph: tuple[Result, str] | None = None
    graph_all: tuple[Result, str] | None = None

    def outcome(self, mode: Mode, *, of_all: bool) -> tuple[Result, str] | None:
        """What was seen in a mode."""
        return getattr(self, mode.value + ("_all" if of_all else ""))  # type: ignore[no-any-return]


class _Measured(msgspec.Struct, frozen=True):
    """The file that scripts/measure_second_order.py writes."""

    version: str
    device: Device
    stamp: dict[str, str]
    cases: dict[str, _Case]


class SecondOrderFacts:
    """One MindSpore version. Every answer may be None or empty: that is unknown."""

    def __init__(self, registry: Path, measured: Path | None) -> None:
        self._registry = msgspec.json.decode(registry.read_bytes(), type=_Registry)
        self._measured = (
            None if measured is None else msgspec.json.decode(measured.read_bytes(), type=_Measured)
        )
        self.collected_version = Version.parse(self._registry.version)
        self.measured_version = None if self._measured is None else Version.parse(self._measured.version)
        self.stamp: Mapping[str, str] = self._registry.stamp
        emitted = (*(self._registry.links or {}).values(), *self._registry.python_links.values())
        self._known = frozenset(name for names in emitted for name in names)
        by_api: dict[str, list[_Case]] = {}
        for case in () if self._measured is None else self._measured.cases.values():
            for api in case.apis:
                by_api.setdefault(api, []).append(case)
        self._cases = {api: tuple(cases) for api, cases in by_api.items()}

    def operators(self) -> frozenset[str]:
        """Every operator that has a bprop, or is emitted by one and needs its own."""
        registry = self._registry
        named = registry.cpp_bprops | registry.cpp_not_ready | registry.python_bprops | self._known
        return named - registry.need_no_bprop

    def needs_bprop(self, operator: str) -> bool:
        """False for what is differentiated without one."""
        return operator not in self._registry.need_no_bprop

    def has_bprop(self, operator: str) -> bool | None:
        """Whether a bprop is registered, or the differentiation needs none; None for an operator nobody knows."""
        registry = self._registry
        if operator in registry.cpp_not_ready and operator not in registry.cpp_bprops:
            return False
        if operator in registry.cpp_bprops | registry.python_bprops | registry.need_no_bprop:
            return True
        return False if operator in self._known else None

    def is_ready(self, operator: str) -> bool:
        """False for an operator whose bprop is registered as not ready."""
        return operator not in self._registry.cpp_not_ready

    def emits(self, operator: str) -> tuple[str, ...] | None:
        """The operators that its bprop may emit on some branch; None where that could not be read."""
        if self._registry.links is not None and operator in self._registry.links:
            return self._registry.links[operator]
        if self._registry.links is None and operator in self._registry.cpp_bprops:
            return None
        return self._registry.python_links.get(operator)

    def missing_links(self, operator: str) -> tuple[str, ...] | None:
        """The operators without a bprop that its bprop may emit; None where that could not be read."""
        emitted = self.emits(operator)
        return None if emitted is None else tuple(name for name in emitted if self.has_bprop(name) is False)

    def emitters(self, operator: str) -> tuple[str, ...]:
        """The operators whose bprop may emit this one."""
        links = {**self._registry.python_links, **(self._registry.links or {})}
        return tuple(sorted(name for name, emitted in links.items() if operator in emitted))

    def primitives(self, api: str) -> tuple[ApiPrimitives, ...]:
        """The operators of each measured variant of an API; those of codes that use it alone."""
        if self._measured is None:
            return ()
        return tuple(
            ApiPrimitives(
                arguments=case.arguments,
                shapes=case.shapes,
                device=self._measured.device,
                forward=case.forward,
                backward=case.backward,
            )
            for case in self._alone(api)
            if case.forward is not None
        )

    def measured_apis(self) -> Iterable[str]:
        """Every API that some measured code uses."""
        return self._cases.keys()

    def measured(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of codes that use this API alone."""
        return tuple(one for case in self._alone(api) for one in self._measurements(case))

    def measured_together(self, api: str) -> tuple[Measurement, ...]:
        """What was measured of codes that use this API with others."""
        cases = (case for case in self._cases.get(api, ()) if len(case.apis) > 1)
        return tuple(one for case in cases for one in self._measurements(case))

    def compiled(self, api: str) -> tuple[CompiledVariant, ...]:
        """What compiling said of each variant of an API."""
        found = []
        for case in self._alone(api):
            outcome = case.graph_all or case.graph
            if outcome is None:
                continue
            missing = _MISSING.search(outcome[1])
            done = outcome[0] in (Result.RIGHT, Result.WRONG) or _NO_KERNEL in outcome[1]
            state = ChainState.MISSING if missing else ChainState.COMPLETE if done else ChainState.UNKNOWN
            found.append(
                CompiledVariant(
                    arguments=case.arguments, state=state, missing=missing["name"] if missing else ""
                )
            )
        return tuple(found)

    def chain(self, api: str) -> tuple[Chain, ...]:
        """The chains of an API, one for each set of operators that its variants ran as."""
        found: dict[tuple[object, ...], Chain] = {}
        for variant in self.primitives(api):
            seen = None if variant.backward is None else frozenset(variant.backward)
            key = (variant.forward, seen)
            links = tuple(self._link(name, _DEPTH) for name in variant.forward)
            found.setdefault(key, Chain(arguments=variant.arguments, links=links, seen=seen))
        return tuple(found.values())

    def chain_of(self, operators: Iterable[str]) -> Chain:
        """The chain of given operators."""
        return Chain(arguments={}, links=tuple(self._link(name, _DEPTH) for name in operators))

    def _alone(self, api: str) -> tuple[_Case, ...]:
        return tuple(case for case in self._cases.get(api, ()) if case.apis == (api,))

    def _measurements(self, case: _Case) -> Iterable[Measurement]:
        assert self._measured is not None
        for of_all in (False, True):
            outcomes = {mode: case.outcome(mode, of_all=of_all) for mode in Mode}
            in_graph = outcomes[Mode.GRAPH]
            for mode, outcome in outcomes.items():
                if outcome is None:
                    continue
                is_cut = mode is Mode.PYNATIVE and outcome[0] is Result.WRONG
                yield Measurement(
                    apis=case.apis,
                    arguments=case.arguments,
                    shapes=case.shapes,
                    code=case.code,
                    torch=case.torch,
                    device=self._measured.device,
                    mode=mode,
                    of_all_inputs=of_all,
                    result=outcome[0],
                    text=outcome[1],
                    hazard=is_cut and in_graph is not None and in_graph[0] is Result.RIGHT,
                )

    def _link(self, operator: str, depth: int) -> Link:
        emitted = self.emits(operator)
        following = (emitted or ()) if depth > 1 else ()
        links = tuple(self._link(name, depth - 1) for name in following)
        return Link(operator, self.has_bprop(operator), links, emitted is not None)


def second_order_versions() -> tuple[Version, ...]:
    """The MindSpore versions there are facts of, oldest first."""
    return tuple(sorted(_files("mindspore")))


def second_order_facts(version: Version | None = None) -> SecondOrderFacts:
    """The facts of the newest collected version that is not newer than `version`, else of the oldest one; the newest
    without `version`. `collected_version` says which it is."""
    known = second_order_versions()
    fitting = [each for each in known if version is None or each <= version]
    return _load(fitting[-1] if fitting else known[0])


@functools.cache
def _files(kind: str) -> dict[Version, Path]:
    folder = frameworks_folder() / "second_order"
    return {Version.parse(path.stem.partition("-")[2]): path for path in folder.glob(f"{kind}-*.json")}


@functools.cache
def _load(version: Version) -> SecondOrderFacts:
    return SecondOrderFacts(_files("mindspore")[version], _files("measured").get(version))
