"""`mindport explain`: the page of a rule, or what can be said of a torch name on the target."""

from __future__ import annotations

from typing import Any

import click

from mindport.checking.project_evidence import project_index
from mindport.cli.interpreter import interpreter_to_start
from mindport.cli.language import speak_as, terminal_language
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn, write, write_data
from mindport.config.load import load_settings
from mindport.config.problem import nearest
from mindport.config.target import resolve_target
from mindport.explain.card import rule_page
from mindport.explain.name_facts import NameFacts, RuleFacts, name_facts, rule_facts
from mindport.explain.name_page import api_page
from mindport.explain.reference_page import reference_page
from mindport.explain.second_order import second_order_page
from mindport.explain.target_words import target_words
from mindport.mapping.schema import Mapping
from mindport.model.language import say
from mindport.registry.bprops import second_order_facts
from mindport.registry.live_bprops import live_facts
from mindport.registry.mindspore import mindspore_facts
from mindport.registry.probe import ProbeFailure
from mindport.registry.torch import torch_facts
from mindport.report.json_text import json_text
from mindport.report.text import target_line
from mindport.rules.discover import all_rules

# As people write them; the names behind are the ones that the catalogue has.
_SHORT_FORMS = {
    "nn.": "torch.nn.",
    "F.": "torch.nn.functional.",
    "Tensor.": "torch.Tensor.",
    "optim.": "torch.optim.",
}


@click.command()
@click.argument("subject", metavar="CODE|NAME")
@target_options
@click.option(
    "--second-order",
    is_flag=True,
    help="Show what a gradient of a gradient does at a name of MindSpore or torch: mindspore.ops.max_pool2d.",
)
@click.option(
    "--live",
    is_flag=True,
    help="With --second-order: ask the MindSpore that is installed for its bprops.",
)
@click.option("--full", is_flag=True, help="Also its arguments, all runs and second-order gradients.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object; see docs/schemas/explain.json.")
def explain(
    subject: str,
    config_file: str | None,
    second_order: bool,
    live: bool,
    full: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Explain a rule by its code or name, or a torch name: MP101, plain-rename, torch.nn.Conv2d."""
    if as_json and second_order:
        raise click.UsageError("--json does not go with --second-order")
    if second_order:
        explain_second_order(subject, config_file, options, live)
        return
    if live:
        raise click.UsageError("--live goes with --second-order")
    by_word = {word: rule for rule in all_rules().values() for word in (rule.code, rule.name)}
    rule = by_word.get(subject) or by_word.get(subject.upper())
    if rule is not None and as_json:
        write_json(rule_facts(rule))
        return
    if rule is not None:
        write(rule_page(rule).rstrip("\n") + "\n")
        return
    name = full_name(subject)
    canonical = torch_facts().canonical(name)
    overrides = settings_of(options, for_programs=as_json)
    loaded = load_settings(".", overrides, config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    target, reasons = resolve_target(loaded.settings, loaded.root)
    index = project_index(loaded.settings, loaded.root)
    if as_json:
        facts = name_facts(canonical or name, target, index)
        if facts is not None:
            write_json(facts)
            return
    page = (reference_page if full else api_page)(canonical or name, target, index)
    if page is None:
        near = nearest(subject, by_word)
        raise click.UsageError(
            say("{subject!r} is no rule and no public torch name{nearest}", subject=subject, nearest=near)
        )
    write(f"{page.rstrip()}\n\n{target_line(target_words(target), reasons)}\n")


def write_json(facts: NameFacts | RuleFacts) -> None:
    """Write one object for programs."""
    write_data(json_text(facts))


def explain_second_order(
    subject: str, config_file: str | None, options: dict[str, Any], live: bool = False
) -> None:
    """Write what is known of a gradient of a gradient through a name of MindSpore, or of what replaces one of torch.

    Raises UsageError for a name that neither has."""
    loaded = load_settings(".", settings_of(options), config_file=config_file, language=terminal_language())
    speak_as(loaded.settings)
    target, reasons = resolve_target(loaded.settings, loaded.root)
    mindspore = mindspore_facts(target.version)
    if mindspore.has(subject):
        names = [subject]
    else:
        name = torch_facts().canonical(full_name(subject))
        mapping = project_index(loaded.settings, loaded.root).find(name) if name is not None else None
        if name is None:
            raise click.UsageError(f"{subject!r} is no public name of MindSpore {target.version} or torch")
        names = mindspore_targets(mapping) if mapping is not None else []
        if not names:
            write(f"No MindSpore name is known to replace {name}, so its second order is unknown.\n")
            return
    facts = second_order_facts(target.version)
    page, spoke = second_order_page(names, target, facts), f"the data of MindSpore {facts.collected_version}"
    if live:
        interpreter = interpreter_to_start(loaded)
        answer = live_facts(facts, interpreter, tuple(names))
        if isinstance(answer, ProbeFailure):
            warn(f"{interpreter} {answer.reason}; what follows is from {spoke}")
        else:
            page = second_order_page(names, target, answer)
            spoke = f"the MindSpore {answer.collected_version} of {interpreter}"
            for name in names:
                for sentence in answer.disagreements(name):
                    page += f"{sentence}.\n"
    write(f"{page.rstrip()}\n\nThe registry: {spoke}\n{target_line(target_words(target), reasons)}\n")


def mindspore_targets(mapping: Mapping) -> list[str]:
    """The MindSpore names that the cases of a mapping call, each once."""
    return list(dict.fromkeys(case.call for case in mapping.cases if case.call))


def full_name(subject: str) -> str:
    """A torch name in full: `F.relu` as `torch.nn.functional.relu`."""
    for short, full in _SHORT_FORMS.items():
        if subject.startswith(short):
            return full + subject[len(short) :]
    return subject
