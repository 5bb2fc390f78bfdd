"""What was found in the analysed text, in the present one. They differ only while a part of a file does not parse:
places in the kept text of a unit are looked for in the present text, and what is not certainly there is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from mindport.model.span import Span
from mindport.source.module import ParsedModule
from mindport.usage.api_use import ApiUse, Argument, Call, FileUsage, ImportBinding, OwnAttribute
from mindport.usage.mindspore_uses import MindSporeUse
from mindport.usage.places import CalledPlace, CodePlace
from mindport.usage.regions.link import ChainLink, ChainPlace

ModuleOf = Callable[[str], "ParsedModule | None"]
_Placed = TypeVar("_Placed", CodePlace, MindSporeUse, OwnAttribute)


def present_usage(usage: FileUsage, module: ParsedModule) -> FileUsage:
    """The usage of a file; what lies in the present text are the same objects."""
    if not module.has_kept_texts:
        return usage
    # What is found in kept texts is in the order of the units, and so in that of the present places.
    return msgspec.structs.replace(
        usage,
        uses=tuple([one for use in usage.uses if (one := present_use(use, module)) is not None]),
        imports=present_imports(usage.imports, module),
        mindspore=tuple(_present(usage.mindspore, module)),
        places=tuple(_present(usage.places, module)),
        own_attributes=tuple(_present(usage.own_attributes, module)),
    )


def present_use(use: ApiUse, module: ParsedModule) -> ApiUse | None:
    """A use where it stands now; None where that is not certain."""
    if module.is_present(use.span):
        return use
    span, name_span = module.present(use.span), module.present(use.name_span)
    if span is None or name_span is None:
        return None
    return msgspec.structs.replace(
        use,
        span=span,
        name_span=name_span,
        receiver=None if use.receiver is None else (module.present(use.receiver) or span),
        call=None if use.call is None else _present_call(use.call, span, module),
        is_outdated=True,
    )


def _present_call(call: Call, callee: Span, module: ParsedModule) -> Call:
    """A call that something may have been written into. What it passes still decides what is said of it; a part that is
    not certain is taken to be where the callee is."""

    def present(span: Span) -> Span:
        return module.present(span) or callee

    def argument(one: Argument) -> Argument:
        keyword = None if one.keyword_span is None else present(one.keyword_span)
        return msgspec.structs.replace(one, span=present(one.span), keyword_span=keyword)

    return Call(present(call.span), tuple(map(argument, call.arguments)))


def present_imports(imports: tuple[ImportBinding, ...], module: ParsedModule) -> tuple[ImportBinding, ...]:
    """The names that imports bind, where the whole statement is as it was."""
    if not module.has_kept_texts:
        return imports
    found = []
    for one in imports:
        statement, alias = module.present(one.statement), module.present(one.alias)
        if statement is not None and alias is not None:
            is_same = statement is one.statement and alias is one.alias
            found.append(one if is_same else msgspec.structs.replace(one, statement=statement, alias=alias))
    return tuple(found)


def _present(found: Iterable[_Placed], module: ParsedModule) -> Iterable[_Placed]:
    for one in found:
        span = module.present(one.span)
        if span is not None:
            yield one if span is one.span else msgspec.structs.replace(one, span=span)


def present_links(
    links: tuple[ChainLink, ...], module: ParsedModule, module_of: ModuleOf
) -> tuple[ChainLink, ...]:
    """The links of a file; `module_of` gives the other files that their chains lead through. The same object where
    every place is as it was."""
    found = [one for link in links if (one := _present_link(link, module, module_of)) is not None]
    is_same = len(found) == len(links) and all(one is link for one, link in zip(found, links, strict=True))
    return links if is_same else tuple(sorted(found, key=lambda link: (link.use.span, link.use.api)))


def _present_link(link: ChainLink, module: ParsedModule, module_of: ModuleOf) -> ChainLink | None:
    use = present_use(link.use, module)
    if use is None:
        return None

    def place(one: ChainPlace) -> ChainPlace | None:
        span = _span_in(one.path, one.span, module_of)
        if span is None:
            return None
        return one if span is one.span else msgspec.structs.replace(one, span=span)

    chain = tuple(filter(None, map(place, link.chain)))
    gradient = link.gradient and place(link.gradient)
    if use is link.use and chain == link.chain and gradient is link.gradient:
        return link
    return msgspec.structs.replace(link, use=use, chain=chain, gradient=gradient)


def present_called(
    called: tuple[CalledPlace, ...], module: ParsedModule, module_of: ModuleOf
) -> tuple[CalledPlace, ...]:
    """The places in functions that compiled ones call; a way there is left out where it is not certain any more."""
    found = []
    for one in called:
        places = list(_present((one.place,), module))
        spans = [_span_in(caller.path, caller.span, module_of) for caller in one.callers]
        callers = tuple(
            caller if span is caller.span else msgspec.structs.replace(caller, span=span)
            for caller, span in zip(one.callers, spans, strict=True)
            if span is not None
        )
        if places and len(callers) == len(one.callers):
            found.append(CalledPlace(places[0], callers))
    return tuple(sorted(found, key=lambda one: one.place.span))


def _span_in(path: str, span: Span, module_of: ModuleOf) -> Span | None:
    module = module_of(path)
    return span if module is None else module.present(span)
