"""The last look at a text whose uses are fixed: what only the whole of it shows, from tuples to short names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath

import msgspec

from mindport.checking.lone_scripts import LoneScripts
from mindport.model.target import Target
from mindport.rewrite.assigned_buffers import with_registered_buffers
from mindport.rewrite.attributes_listed import with_none_for_lacking
from mindport.rewrite.attributes_set_by_name import with_buffers_set_by_name
from mindport.rewrite.biases_as_flags import hands_on_biases, with_truth_values_of_biases
from mindport.rewrite.class_names import with_torch_class_names
from mindport.rewrite.complex_products import with_products_of_parts
from mindport.rewrite.complex_values import functions_giving_complex
from mindport.rewrite.convolutions_of_weights import with_convolutions_of_weights
from mindport.rewrite.deep_copies import with_memory_of_copies
from mindport.rewrite.exact_types import IsBuilt, with_exact_types
from mindport.rewrite.fractions_of_whole_numbers import with_fractions_of_floats
from mindport.rewrite.gradients_of_casts import with_casts_without_gradients
from mindport.rewrite.graph_forms.forms import with_graph_forms
from mindport.rewrite.held_classes import with_tests_of_held_classes
from mindport.rewrite.idle_clearing import without_idle_clearing
from mindport.rewrite.idle_detachments import without_idle_detachments
from mindport.rewrite.idle_statements import without_idle_statements
from mindport.rewrite.layers_drawn_again import with_layers_drawn_again
from mindport.rewrite.learning_rates import with_numbers_for_rates
from mindport.rewrite.lists_of_cells import with_lists_of_cells
from mindport.rewrite.mixed_layers import with_weights_of_all
from mindport.rewrite.needless_parentheses import without_needless_parentheses
from mindport.rewrite.numpy_bounds import with_python_bounds
from mindport.rewrite.numpy_numbers import with_python_numbers
from mindport.rewrite.optimizers_of_cells import with_optimizers_apart
from mindport.rewrite.optional_imports import with_optional_torch
from mindport.rewrite.ported_imports import with_ported_libraries
from mindport.rewrite.ranges_as_indexes import with_lists_for_ranges
from mindport.rewrite.repeated_classes import without_repeated_classes
from mindport.rewrite.restored_cells import with_restored_cells
from mindport.rewrite.settings_of_layers import with_settings_set
from mindport.rewrite.short_names import with_short_names
from mindport.rewrite.started_recording import (
    has_no_start,
    is_part_without_start,
    is_script_without_start,
    with_recording_started,
)
from mindport.rewrite.tested_tuples import with_whole_tuples
from mindport.rewrite.transforms_among_layers import with_transforms_among_layers
from mindport.rewrite.writes_to_found import with_writes_to_what_is_found
from mindport.source.syntax import parses
from mindport.usage.mixed_layers import NORM_AROUND_ANOTHER
from mindport.usage.project import Project


class WholeProject(msgspec.Struct, frozen=True):
    """What the end of a file's conversion asks of the project: which helpers build layers in it, whether its strings
    name layers or optimizers of torch, which files are scripts that no other one imports, whether it has schedulers of
    learning rates, whether no optimizer has its steps recorded, whether it hands the biases of layers on, which
    packages and modules are its own, and which of its functions give something complex."""

    is_built: IsBuilt
    names_layers: bool
    is_lone_script: Callable[[str], bool]
    is_scheduled: bool = False
    has_no_start: bool = False
    hands_on_biases: bool = False
    own: frozenset[str] = frozenset()
    giving_complex: dict[str, frozenset[int]] = {}


def whole_project(project: Project, fixed: Iterable[str]) -> WholeProject:
    """The answers for a project whose `fixed` files are converted. A helper is built where a file of the project names
    it, and so is the norm whose weights lie deeper; files that are not among the fixed ones may come to do so, as long
    as they import torch."""
    paths = frozenset(project.paths())
    named = frozenset[str]().union(*map(project.names_read, paths))
    if any(f".{NORM_AROUND_ANOTHER}(" in project.text(path) for path in paths):
        named |= {NORM_AROUND_ANOTHER}
    is_open = any(map(project.imports_torch, paths.difference(fixed)))
    is_scheduled = any("lr_scheduler" in project.text(path) for path in paths)
    return WholeProject(
        lambda helper: is_open or helper in named,
        project.names_layers(),
        LoneScripts(project).has,
        is_scheduled,
        has_no_start(map(project.text, paths)),
        hands_on_biases(map(project.text, paths)),
        frozenset(part for path in paths for part in PurePath(path).with_suffix("").parts),
        functions_giving_complex(map(project.text, sorted(paths))),
    )


def finished(path: str, before: str, text: str, target: Target, project: WholeProject) -> str:
    """The converted text of the file at a full path without statements that do nothing any more, without forms that
    graph mode refuses, and with the imports that it needs and names as short as they were. It parses if `text` does."""
    for change in _passes(path, before, target, project):
        changed = change(text)
        if changed != text and parses(changed):
            text = changed
    return text


def _passes(path: str, before: str, target: Target, project: WholeProject) -> Iterator[Callable[[str], str]]:
    """The passes in their order, each from a text to the next."""

    def knowing(change: Callable[..., str], *known: object) -> Callable[[str], str]:
        """A pass that compares with the text as it was."""
        return lambda text: change(before, text, *known)

    yield lambda text: with_recording_started(text) if _lacks_start(text, project) else text
    if project.hands_on_biases:
        yield with_truth_values_of_biases
    yield knowing(with_whole_tuples)
    yield knowing(with_exact_types, project.is_built, target.device)
    yield knowing(with_tests_of_held_classes, project.is_built)
    yield knowing(with_weights_of_all)
    yield knowing(with_layers_drawn_again)
    yield knowing(with_convolutions_of_weights)
    yield knowing(with_products_of_parts, project.giving_complex)
    yield knowing(with_fractions_of_floats)
    yield knowing(with_memory_of_copies)
    yield with_restored_cells
    yield knowing(with_casts_without_gradients)
    yield knowing(with_settings_set)
    yield knowing(without_repeated_classes)
    yield knowing(with_optimizers_apart)
    yield knowing(with_registered_buffers)
    yield knowing(with_buffers_set_by_name)
    if project.has_no_start:
        yield knowing(without_idle_clearing)
    yield knowing(without_idle_statements, functools.partial(project.is_lone_script, path))
    yield lambda text: with_torch_class_names(text, project.names_layers, project.is_built)
    yield with_lists_of_cells
    yield with_transforms_among_layers
    yield with_none_for_lacking
    yield with_graph_forms
    yield lambda text: with_numbers_for_rates(text, project.is_scheduled)
    yield with_lists_for_ranges
    yield with_python_numbers
    yield knowing(with_python_bounds)
    yield with_writes_to_what_is_found
    yield knowing(without_idle_detachments)
    yield knowing(without_needless_parentheses)
    yield with_ported_libraries
    yield lambda text: with_optional_torch(text, project.own)
    yield knowing(with_short_names)


def _lacks_start(text: str, project: WholeProject) -> bool:
    return project.has_no_start or is_script_without_start(text) or is_part_without_start(text)
