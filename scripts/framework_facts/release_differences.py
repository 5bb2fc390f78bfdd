"""What changed from one collected MindSpore release to the next, as a page: names, parameters, defaults, kernels on
CPU, deprecations, and what runs showed to compute something else. All is from the stored facts and evidence."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import shorten

from framework_facts.upstream_page import changed_between
from mindport.explain.conditions import in_words
from mindport.mapping.helper_source import helper_source, needed_helpers
from mindport.mapping.index import load_index
from mindport.mapping.names import listed_names
from mindport.mapping.schema import Case, Evidence
from mindport.model.target import Device, Version
from mindport.registry.mindspore import MindSporeFacts, collected_versions, mindspore_facts
from mindport.registry.signature import Signature

# Places that programs use; what is in others is for MindSpore itself or for its tools.
_PLACES = (
    "amp",
    "dataset",
    "experimental",
    "hal",
    "jit",
    "mint",
    "nn",
    "numpy",
    "ops",
    "runtime",
    "scipy",
    "Tensor",
)
_AGAIN = (
    "mindspore.ops.operations.",
    "mindspore.ops.functional.",
    "mindspore.dataset.engine.",
    "mindspore.Parameter.",
)
_ATTRIBUTE = re.compile(r"AttributeError: .*?(?:attribute|property) '(?P<name>\w+)'")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_SHORT = 30  # characters that tell nothing but the class of an exception
_MANY = 5  # classes that get the same member are one row
_SAMPLE = re.compile(r"(?:MindSpore fails|differs) \([\w-]+\): ")
_CALLED = ("function", "method", "cell_class", "class", "optimizer_class", "primitive_class")
_HEAD = """# What changed from release to release of MindSpore

Made by `scripts/build_docs.py` from what was collected of each installed release
(`scripts/collect_mindspore_facts.py`) and from the stored runs of it (`mappings/_evidence`). Members of new and
removed classes are left out. Defaults and parameters are those of the signature that Python or the documentation shows;
where a name has several, what is said is which parameters none or any of them had. A name "ran on CPU" where a simple
call of it did. What is wrong in one of two releases was reproduced with MindSpore alone (docs/upstream). What agrees or
differs is code that mindport writes for a name of torch, as it was run with both releases.
"""


def page() -> str:
    """The whole page."""
    known = collected_versions()
    parts = [_HEAD]
    for old, new in reversed(list(itertools.pairwise(known))):
        parts.append(_release(mindspore_facts(old), mindspore_facts(new), old, new))
    return "\n".join(parts)


def since_the_one_before(version: Version) -> str:
    """What changed from the collected release before `version` to it."""
    older = [one for one in collected_versions() if one < version]
    if not older:
        return f"MindSpore {version} is the oldest that was collected"
    return _release(mindspore_facts(max(older)), mindspore_facts(version), max(older), version)


def _release(before: MindSporeFacts, after: MindSporeFacts, old: Version, new: Version) -> str:
    names_before, names_after = set(_public(before)), set(_public(after))
    both = sorted(names_before & names_after)
    sections = {
        "Silently changed: computes something else": _by_evidence(str(old), str(new), is_silent=True),
        "Wrong in one of the two, without a word": changed_between(str(old), str(new)),
        "Raised in one of the two, and agrees with torch in the other": _by_evidence(
            str(old), str(new), is_silent=False
        ),
        "Gone": _first_of_classes(sorted(names_before - names_after), before, after),
        "Changed parameters and defaults": (
            line for name in both for line in _changed(name, before.signatures(name), after.signatures(name))
        ),
        "Ran on CPU before and does not now": _kernels(both, before, after),
        "Runs on CPU now": _kernels(both, after, before),
        "Deprecated": (
            f"`{name}`" for name in both if after.deprecation(name) and not before.deprecation(name)
        ),
        "New": _first_of_classes(sorted(names_after - names_before), after, before),
    }
    lines = [f"## {old} to {new}", ""]
    for title, found in sections.items():
        rows = list(found)
        if rows:
            lines += [f"### {title} ({len(rows)})", "", *(f"- {row}" for row in rows), ""]
    return "\n".join(lines)


def _public(facts: MindSporeFacts) -> Iterator[str]:
    for name in facts.names():
        parts = name.split(".")[1:]
        is_public = not any(part.startswith("_") for part in parts) and not name.startswith(_AGAIN)
        if is_public and parts and (parts[0] in _PLACES or len(parts) == 1):
            yield name


def _first_of_classes(names: Iterable[str], here: MindSporeFacts, there: MindSporeFacts) -> Iterator[str]:
    """The names without those in classes and modules that are missing as a whole; a member that many classes have in
    common is one row."""
    found = []
    for name in names:
        owner = name.rpartition(".")[0]
        is_there = there.has(name)  # of a base class, perhaps
        if here.kind(name) in (*_CALLED, "module", "constant", "dtype") and there.has(owner) and not is_there:
            found.append(name)
    common = Counter(name.rpartition(".")[2] for name in found if here.kind(name) == "method")
    for name in found:
        if common[name.rpartition(".")[2]] <= _MANY:
            yield f"`{name}`"
    for member, count in sorted(common.items()):
        if count > _MANY:
            yield f"`{member}` of {count} classes"


def _changed(name: str, before: tuple[Signature, ...], after: tuple[Signature, ...]) -> Iterator[str]:
    """What changed of a name; of several signatures, which parameters are new and gone."""
    if before == after or not before or not after:
        return
    if len(before) > 1 or len(after) > 1:
        had, has = _parameters(before), _parameters(after)
        changes = [f"`{one}` is gone" for one in had if one not in has]
        changes += [f"`{one}` is new" for one in has if one not in had]
        if changes:
            yield f"`{name}`: {'; '.join(changes)}"
        return
    old = {one.name: one for one in before[0].parameters}
    new = {one.name: one for one in after[0].parameters}
    if any(name.startswith(("args", "kwargs")) for name in (*old, *new)):
        return  # nobody says what they are
    changes = [f"`{one}` is gone" for one in old if one not in new]
    changes += [
        f"`{one.name}` is new" + (f", {one.default} by default" if one.default is not None else "")
        for one in new.values()
        if one.name not in old
    ]
    changes += [
        f"`{one}` is {_default(new[one].default)}, was {_default(old[one].default)}"
        for one in old
        if one in new
        and old[one].default != new[one].default
        # What C++ takes is known from the documentation alone, which is silent about many defaults.
        and not (new[one].default is None and name.startswith("mindspore.Tensor."))
    ]
    order = [one for one in old if one in new]
    if order != [one for one in new if one in old]:
        changes.append(f"the order is `{_shown(after[0])}`")
    if changes:
        yield f"`{name}`: {'; '.join(changes)}"


def _parameters(signatures: Iterable[Signature]) -> dict[str, None]:
    """The names of all parameters, in order."""
    return {one.name: None for signature in signatures for one in signature.parameters}


def _default(text: str | None) -> str:
    return "required" if text is None else f"{text} by default"


def _shown(signature: Signature) -> str:
    return ", ".join(
        one.name if one.default is None else f"{one.name}={one.default}" for one in signature.parameters
    )


def _kernels(names: Iterable[str], ran: MindSporeFacts, did_not: MindSporeFacts) -> Iterator[str]:
    for name in names:
        if ran.has_kernel(name, Device.CPU) is True and did_not.has_kernel(name, Device.CPU) is False:
            yield f"`{name}`"


def _by_evidence(old: str, new: str, *, is_silent: bool) -> list[str]:
    """What the same code was seen to do in one release and not in the other, without a word or by raising."""
    return list(dict.fromkeys(_seen_to_change(old, new, is_silent=is_silent)))


def _seen_to_change(old: str, new: str, *, is_silent: bool) -> Iterator[str]:
    for _, mapping in load_index().mappings():
        rows: dict[int, dict[str, Evidence]] = {}
        for row in mapping.evidence:
            if row.mode == "pynative" and row.device == "CPU" and row.grade == "run":
                rows.setdefault(row.case, {})[row.mindspore] = row
        for case, seen in sorted(rows.items()):
            if old not in seen or new not in seen or seen[old].agrees is seen[new].agrees:
                continue
            against = seen[old if seen[new].agrees else new]
            if is_silent is not against.note.startswith("differs"):
                continue
            one = mapping.cases[case]
            if not _is_about(against.note, one):
                continue
            name = listed_names(mapping.torch)[0][0]
            written = one.call or one.rewrite or one.helper
            code = f"`{written.strip()}` for `{name}`" if written else f"`{name}`, unchanged"
            condition = in_words(one)
            code += f", if {condition}" if condition else ""
            yield f"{code}: in {against.mindspore} it {_first_problem(against.note)}"


def _is_about(note: str, case: Case) -> bool:
    """Whether a failure is that of what a case writes, and not of an attribute that its example uses besides."""
    lacking = _ATTRIBUTE.search(note)
    if lacking is None:
        return True
    written = " ".join(filter(None, (case.call, case.rewrite, case.helper)))
    helpers = {one for word in _WORD.findall(written) if helper_source(word) for one in needed_helpers(word)}
    return any(
        re.search(rf"\b{lacking['name']}\b", text) for text in (written, *map(helper_source, sorted(helpers)))
    )


def _first_problem(note: str) -> str:
    """The first of the problems in a note, without which of the samples showed it."""
    first = _SAMPLE.split(note.partition(": ")[2] if _SAMPLE.match(note) else note)[0].rstrip("; ")
    words = "differs: " if note.startswith("differs") else "fails: "
    told = first.partition(" - ")[0]
    return words + shorten(told if len(told) > _SHORT else first, 160, placeholder=" ...")
