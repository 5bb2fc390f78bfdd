"""Finds the second-order links of a project, and keeps them while edits cannot have changed them."""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from mindport.model.span import Span
from mindport.model.verdict import Confidence
from mindport.registry.mindspore import mindspore_facts
from mindport.usage import torch_model
from mindport.usage.api_use import ApiUse, Argument, Call, FileUsage, Form, Kind, LiteralValue
from mindport.usage.files import FileState
from mindport.usage.regions.gradients import Follower, Region
from mindport.usage.regions.link import ChainLink, ChainPlace, LinkKind
from mindport.usage.regions.program import (
    Holder,
    RegionFiles,
    may_differentiate_twice,
    mentions,
    no_pause,
)
from mindport.usage.regions.slicing import is_linear
from mindport.usage.regions.values import (
    DOUBT,
    BodyRun,
    Choice,
    ClassOf,
    Data,
    FunctionOf,
    OwnInstance,
    PassedValues,
    TreePlace,
    Value,
    chosen,
)

_LOG = logging.getLogger(__name__)
_MOST_MAKERS = 3  # of an instance whose method is called by a framework alone
_LONGEST_CHAIN = 12


class Found(NamedTuple):
    """An API on a link, before it is known what the inference says of the place."""

    api: str
    site: TreePlace
    chain: tuple[ChainPlace, ...]
    is_certain: bool
    is_compiled: bool
    gradient: ChainPlace | None
    is_wide: bool = False
    rank: int | None = None
    is_last: bool = False


class LinkFinder:
    """The links of one project. `find` looks anew only where `changed` was told of something that may matter."""

    def __init__(
        self,
        texts: Mapping[str, str],
        state: Callable[[str], FileState],
        find: Callable[[str, str, int], str | None],
    ) -> None:
        self._texts = texts
        self._state = state
        self._find = find
        self._signs: dict[str, tuple[str, bool]] = {}
        self._holders: dict[int, tuple[list[ast.stmt], Holder]] = {}
        self._found: dict[str, list[Found]] | None = None
        self._read: frozenset[str] = frozenset()
        self._asked: tuple[str, ...] = ()
        # Files that were edited since it was last looked: what they were then, if anybody had looked at them.
        self._edited: dict[str, tuple[str, FileState | None]] = {}
        self._changes = 0  # of anything
        self._links: dict[str, tuple[FileUsage, list[Found], tuple[ChainLink, ...]]] = {}

    # -- changes

    def files_changed(self) -> None:
        """There are other files than before."""
        self._changes += 1
        self._found = None

    def text_changed(self, path: str, before: str, state: FileState | None) -> None:
        """A file has another text than `before`; `state` is what it was then, if anybody had looked at it. What that
        means for the links is only looked at when somebody asks for them: a key must not wait for it."""
        self._changes += 1
        if self._found is not None:
            self._edited.setdefault(path, (before, state))

    @property
    def is_current(self) -> bool:
        """Whether nothing was edited since the last look, so that links cost nothing."""
        return self._found is not None and not self._edited

    def look(self, pause: Callable[[], None] = no_pause) -> None:
        """Search, where an edit may have changed the links. What `pause` raises leaves things as they were; what is
        edited while it waits is found out by the next look."""
        edited = dict(self._edited)
        if self._found is None or any(self._matters(path, *before) for path, before in edited.items()):
            changes = self._changes
            found: dict[str, list[Found]] = {}
            if any(self._has_sign(path, text) for path, text in self._texts.items()):
                try:
                    found = self._search(pause)
                except RecursionError:
                    _LOG.warning("the code is nested too deeply to follow the gradients in it")
            if changes != self._changes:
                self._found = None
                return
            self._found = found
        self._edited.clear()

    def _matters(self, path: str, before: str, state: FileState | None) -> bool:
        """Whether the edits of a file may have changed links: it was looked into, it has a sign, or other units than
        before mention a name whose callers were looked for."""
        after = self._texts[path]
        if path in self._read or self._has_sign(path, before) or self._has_sign(path, after):
            return True
        if state is not None and any(name in before for name in self._asked):
            return mentions(state.module, self._asked) != mentions(self._state(path).module, self._asked)
        return any(name in after for name in self._asked)

    def _has_sign(self, path: str, text: str) -> bool:
        known = self._signs.get(path)
        if known is None or known[0] is not text:
            known = self._signs[path] = (text, may_differentiate_twice(text))
        return known[1]

    # -- results

    def links(self, path: str, usage: Callable[[str], FileUsage]) -> tuple[ChainLink, ...]:
        """The links in one file, in the order of their places."""
        self.look()
        found = (self._found or {}).get(path)
        if found is None:
            return ()
        present = usage(path)
        known = self._links.get(path)
        if known is None or known[0] is not present or known[1] is not found:
            known = self._links[path] = (present, found, _as_links(found, present, self._state(path)))
        return known[2]

    def _search(self, pause: Callable[[], None]) -> dict[str, list[Found]]:
        program = RegionFiles(self._texts, self._state, self._find, self._holders, pause)
        signs = program.signs()
        found: dict[str, list[Found]] = {}
        if signs:
            follower = _followed(program, signs)
            for region in follower.regions:
                pause()
                for one in _found_in(region, self._state):
                    found.setdefault(one.site.path, []).append(one)
        self._holders = program.kept_holders()
        self._read = frozenset(program.read)
        self._asked = tuple(sorted(program.asked - {""}))
        return found


def _followed(program: RegionFiles, signs: list[Holder]) -> Follower:
    """Run what leads to the units with calls that differentiate."""
    climbed, have_callers = program.climb(signs)
    program.look_into(climbed)
    follower = Follower(program, climbed)
    for path in dict.fromkeys(holder.path for holder in climbed if holder.function is None):
        follower.module(path)
    for holder in climbed:
        if holder.function is not None and id(holder) not in have_callers:
            _run(holder, follower, program)
    for holder in signs:
        if holder.function is not None and not follower.has_run(holder.function):
            _run(holder, follower, program)
    follower.finish()
    return follower


def _run(holder: Holder, follower: Follower, program: RegionFiles) -> None:
    """Run a function of which no call is seen, with data from outside."""
    node = holder.function
    if node is None or follower.has_run(node):
        return
    module = follower.module(holder.path)
    site = TreePlace(holder.path, node, holder.shift)
    if not holder.owner:
        function = module.names.get(node.name)
        if not isinstance(function, FunctionOf) or function.node is not node:
            function = FunctionOf(node, holder.path, holder.shift, module)
    else:
        owner = module.names.get(holder.owner)
        if not isinstance(owner, ClassOf):
            return
        method = owner.methods.get(node.name)
        if method is None or method.node is not node:
            return
        instance = _instance(owner, follower, program)
        if node.name == "__init__":
            for one in instance.values if isinstance(instance, Choice) else [instance]:
                if isinstance(one, OwnInstance):
                    follower.make(one)
            return
        function = method.bound(instance)
    follower.settled(follower.call(function, PassedValues.unseen(), site, module))


def _instance(class_of: ClassOf, follower: Follower, program: RegionFiles) -> Value:
    """An instance of the class as the project makes it; one made of unknown arguments where it does not."""
    key = id(class_of.node)
    if key not in follower.made and key not in follower.seeking:
        follower.seeking.add(key)
        for maker in program.referring(class_of.name)[:_MOST_MAKERS]:
            if maker.function is None:
                follower.module(maker.path)
            elif maker.owner != class_of.name:
                _run(maker, follower, program)
        follower.seeking.discard(key)
    made = list({id(one.site and one.site.node): one for one in follower.made.get(key, ())}.values())
    if not made:
        unseen = OwnInstance(class_of, None, None, None)
        follower.made[key] = [unseen]
        return unseen
    if len(made) > 1:
        for one in made:
            one.conditions |= {DOUBT}
    return chosen([*made])


def _found_in(region: Region, state: Callable[[str], FileState]) -> Iterable[Found]:
    """The APIs on the link of a region; the call that differentiates itself where nothing could be followed."""
    start = ChainPlace(region.site.path, _span(region.site, state), LinkKind.DIFFERENTIATED, region.name)
    gradient = None
    if region.gradient is not None:
        gradient = ChainPlace(
            region.gradient.site.path,
            _span(region.gradient.site, state),
            LinkKind.DIFFERENTIATED,
            region.gradient.name,
        )
    any_found = False
    for data, is_wide, is_last in region.data:
        site = data.layer.site if data.layer is not None else data.site
        if site is None or not site.path or data.frame is None:
            continue
        api = data.api
        if api.startswith("."):
            api = _member(region.name.partition(".")[0], api)
            if not api:
                continue
        any_found = True
        chain = (start, *_between(region, data, site, state))
        is_certain = bool(api) and region.is_certain(data)
        rank = region.ranks.get(id(data))
        ends = is_last and is_linear(data)
        yield Found(api, site, chain, is_certain, region.is_compiled, gradient, is_wide, rank, ends)
    if not any_found:
        yield Found("", region.site, (start,), False, region.is_compiled, gradient)


def _member(root: str, name: str) -> str:
    """The canonical name of a member of a tensor; empty where tensors have none of that name."""
    name = name[1:]
    if root == "mindspore":
        known = f"mindspore.Tensor.{name}"
        return known if name.startswith("__") or mindspore_facts().has(known) else ""
    return torch_model.members(torch_model.TENSOR_CLASS).get(name, "")


def _between(
    region: Region, data: Data, site: TreePlace, state: Callable[[str], FileState]
) -> list[ChainPlace]:
    """The calls between what differentiates and the data."""
    own: set[int] = set()
    frame: BodyRun | None = region.frame
    while frame is not None:
        own.add(id(frame))
        frame = frame.caller
    places: list[ChainPlace] = []
    frame = data.frame
    while frame is not None and id(frame) not in own and len(places) < _LONGEST_CHAIN:
        call = frame.call
        if call is not None and call.path and call.node is not region.site.node:
            places.append(ChainPlace(call.path, _span(call, state), LinkKind.CALLED, frame.name))
        frame = frame.caller
    places.reverse()
    if data.site is not None and data.site is not site and data.site.path:
        places.append(ChainPlace(data.site.path, _span(data.site, state), LinkKind.APPLIED, data.api))
    return places


def _span(site: TreePlace, state: Callable[[str], FileState]) -> Span:
    """The place of a node now. Of a definition only its first line counts."""
    node: Any = site.node
    index = state(site.path).index
    line = node.lineno + site.shift
    column = index.column_of_byte(line, node.col_offset)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return Span(line, column, line, column + len(node.name))
    end_line = node.end_lineno + site.shift
    return Span(line, column, end_line, index.column_of_byte(end_line, node.end_col_offset))


def _as_links(found: list[Found], usage: FileUsage, state: FileState) -> tuple[ChainLink, ...]:
    """The links of a file: each API once, by its most certain and shortest chain."""
    by_place: dict[tuple[Span, bool], ApiUse] = {}
    for use in usage.uses:
        if use.form is Form.IMPORT:
            continue
        if use.call is not None:
            by_place[use.call.span, True] = use
        else:
            by_place.setdefault((use.span, False), use)

    def state_of(path: str) -> FileState:
        return state

    best: dict[tuple[Span, str], ChainLink] = {}
    for one in found:
        span = _span(one.site, state_of)
        is_call = isinstance(one.site.node, ast.Call)
        known = by_place.get((span, is_call))
        if known is None or one.api.startswith("mindspore."):
            known = _made_use(one, span, state)
        node = one.site.node
        index = ast.unparse(node.slice) if isinstance(node, ast.Subscript) else ""
        link = ChainLink(known, *one[2:], index)
        key = (known.span, known.api)
        before = best.get(key)
        if before is None or _rank(link) < _rank(before):
            best[key] = link
    return tuple(sorted(best.values(), key=lambda link: (link.use.span, link.use.api)))


def _rank(link: ChainLink) -> tuple[bool, bool, bool, bool, int]:
    return (
        not link.is_certain, link.is_compiled, link.is_last, link.rank is not None, len(link.chain) - link.is_wide,
    )  # fmt: skip


def _made_use(found: Found, span: Span, state: FileState) -> ApiUse:
    """A row for a place where the inference has none: names of MindSpore, and what it could not tell to be of torch."""
    node, shift = found.site.node, found.site.shift

    def span_of(part: ast.AST) -> Span:
        return _span(TreePlace(found.site.path, part, shift), lambda _: state)

    call, callee = None, node
    if isinstance(node, ast.Call):
        callee = node.func
        arguments = [
            _argument(
                part.value if isinstance(part, ast.Starred) else part,
                None,
                isinstance(part, ast.Starred),
                span_of,
            )
            for part in node.args
        ]
        arguments += [
            _argument(keyword.value, keyword.arg, 0 if keyword.arg else 2, span_of)
            for keyword in node.keywords
        ]
        call = Call(span, tuple(arguments))
    whole = span_of(callee)
    name_span, receiver, form = whole, None, Form.CALL if call is not None else Form.OPERATOR
    if isinstance(callee, ast.Attribute):
        name_span = Span(
            whole.end_line, whole.end_column - len(callee.attr), whole.end_line, whole.end_column
        )
        if ".Tensor." in found.api:
            receiver = span_of(callee.value)
            form = Form.METHOD if call is not None else Form.ATTRIBUTE
    elif isinstance(callee, ast.Subscript):
        form = Form.INDEX
    return ApiUse(found.api, form, whole, name_span, Confidence.INFERRED, call, receiver)


def _argument(node: ast.expr, keyword: str | None, star: int, span_of: Callable[[ast.AST], Span]) -> Argument:
    is_literal, value = _literal(node)
    kind = _KINDS.get(type(value), Kind.UNKNOWN) if is_literal else Kind.UNKNOWN
    return Argument(span_of(node), keyword, None, int(star), kind, is_literal, value)


_KINDS = {
    bool: Kind.BOOL,
    int: Kind.INT,
    float: Kind.FLOAT,
    str: Kind.STR,
    type(None): Kind.NONE,
    tuple: Kind.SEQUENCE,
}


def _literal(node: ast.expr) -> tuple[bool, LiteralValue]:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False, None
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple):
        plain = all(part is None or isinstance(part, (bool, int, float, str)) for part in value)
        return (True, value) if plain else (False, None)
    return (True, value) if value is None or isinstance(value, (bool, int, float, str)) else (False, None)
