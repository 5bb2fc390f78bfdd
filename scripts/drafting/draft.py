"""Puts a draft together: the names that nobody has judged, a case for each form, an example for each case."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from ruamel.yaml import YAML

from drafting.arguments import best_pairing
from drafting.counterparts import Counterpart, counterparts
from drafting.in_place import as_statement, is_in_place, with_assignment
from drafting.related import form_of, related_names
from drafting.sample import first_example
from mindport.mapping.draft import PLACEHOLDER
from mindport.mapping.index import MappingIndex
from mindport.mapping.moves import is_method_name
from mindport.mapping.schema import Case, CatalogueNames, Example, Forms, Mapping
from mindport.model.target import Device, Target
from mindport.prove.rewritten import rewritten
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.torch import torch_facts


class Draft(NamedTuple):
    """A mapping that claims nothing yet, and what its author should know."""

    mapping: Mapping
    remarks: tuple[str, ...]

    def text(self) -> str:
        """The file, the remarks as comments at its top."""
        yaml = YAML()
        yaml.width = 120
        yaml.indent(mapping=2, sequence=4, offset=2)
        stream = io.StringIO()
        yaml.dump(msgspec.to_builtins(self.mapping), stream)
        return "".join(f"# {remark}\n" for remark in self.remarks) + stream.getvalue()


def draft_of(name: str, target: Target, index: MappingIndex) -> Draft:
    """A draft for a canonical torch name that `index` does not list, and for its other forms that it does not."""
    remarks = [f"A draft for {target}. Replace every text that begins with {PLACEHOLDER}"]
    own = [name]
    for other in related_names(name):
        if index.find(other) is not None:
            remarks.append(f"{other} is judged in mappings/{index.file(other)}.")
        elif is_in_place(other) != is_in_place(name):
            remarks.append(f"{other} is not judged; it belongs in a file of its own.")
        else:
            own.append(other)
    forms: dict[Forms, list[str]] = {}
    for each in own:
        names = forms.setdefault(form_of(each), [])
        if not names or torch_facts().signatures(each) == torch_facts().signatures(names[0]):
            names.append(each)
        else:
            remarks.append(f"{each} is not judged; its parameters are others than those of {names[0]}.")
    cases: list[Case] = []
    samples: list[Example] = []
    for form, names in forms.items():
        case, sample, found = _case(names[0], form, target)
        remarks += [f"{names[0]}: {one.name} ({one.source}; {one.standing})" for one in found] or [
            f"{names[0]}: no MindSpore name was found; try to compose it before you write `none`."
        ]
        if sample is not None:
            samples.append(sample)
        cases.append(msgspec.structs.replace(case, forms=[form] if len(forms) > 1 else []))
    listed = {f"{form}_" if form == "class" else form: _one_or_list(names) for form, names in forms.items()}
    summary = f"{PLACEHOLDER} one sentence on what {name.rpartition('.')[2]} does."
    mapping = Mapping(CatalogueNames(**listed), summary, cases)  # type: ignore[arg-type]
    return Draft(_with_examples(mapping, samples, target), tuple(remarks))


def _case(name: str, form: Forms, target: Target) -> tuple[Case, Example | None, list[Counterpart]]:
    """The case of one form by the first of the candidates, an example of it, and all candidates."""
    mindspore = mindspore_facts(target.version)
    found = counterparts(
        name.removesuffix("_") if is_in_place(name) else name, form, target.device, mindspore
    )
    if not found:
        why = f"{PLACEHOLDER} why MindSpore has nothing for {name}, and what to do instead."
        return (
            Case("none", why=why, tried=[f"{PLACEHOLDER} the nearest candidate, and why it fails."]),
            None,
            [],
        )
    best = found[0].name
    is_method = form in ("method", "attribute")
    shift = int(is_method_name(best)) - int(is_method)
    pairing = best_pairing(torch_facts().signatures(name), mindspore.signatures(best), shift)
    sample = first_example(name, form, pairing.torch if pairing else None, pairing.rules if pairing else {})
    case = Case(
        "differs",
        devices=[] if target.device is Device.CPU else [target.device.value],
        fix="unsafe",
        why=f"{PLACEHOLDER} how {best} answers {name}; correct the verdict and the arguments, too.",
        differences=[
            f"{PLACEHOLDER} {best} needs `{needed}`, which torch does not have: write it under `add`."
            for needed in (pairing.needed if pairing else ())
        ],
    )
    if is_in_place(name):
        case = with_assignment(case, best, pairing, is_method)
        return case, as_statement(sample) if sample else None, found
    case = msgspec.structs.replace(case, call=best, args=dict(pairing.rules) if pairing else {})
    return case, sample, found


def _with_examples(mapping: Mapping, samples: Iterable[Example], target: Target) -> Mapping:
    """The mapping with those samples that its cases can rewrite, each with what it becomes."""
    index = MappingIndex.of([mapping])
    examples = []
    for sample in samples:
        found = rewritten(mapping, sample, target, index)
        if found is not None:
            examples.append(msgspec.structs.replace(sample, after=found[1], case=found[0]))
    return msgspec.structs.replace(mapping, examples=examples)


def _one_or_list(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names
