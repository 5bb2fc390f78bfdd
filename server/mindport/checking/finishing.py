"""The last look at a text whose uses are fixed: what only the whole of it shows, from tuples to short names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
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
    graph mode refuses, and with the imports that it needs and names as short as they were."""
    if project.has_no_start or is_script_without_start(text) or is_part_without_start(text):
        text = with_recording_started(text)
    text = with_truth_values_of_biases(text) if project.hands_on_biases else text
    text = with_exact_types(before, with_whole_tuples(before, text), project.is_built, target.device)
    text = with_tests_of_held_classes(before, text, project.is_built)
    text = with_layers_drawn_again(before, with_weights_of_all(before, text))
    text = with_products_of_parts(before, with_convolutions_of_weights(before, text), project.giving_complex)
    text = with_restored_cells(with_memory_of_copies(before, with_fractions_of_floats(before, text)))
    text = with_casts_without_gradients(before, text)
    text = without_repeated_classes(before, with_settings_set(before, text))
    text = with_registered_buffers(before, with_optimizers_apart(before, text))
    text = with_buffers_set_by_name(before, text)
    text = without_idle_clearing(before, text) if project.has_no_start else text
    text = without_idle_statements(before, text, functools.partial(project.is_lone_script, path))
    text = with_lists_of_cells(with_torch_class_names(text, project.names_layers, project.is_built))
    text = with_none_for_lacking(with_transforms_among_layers(text))
    text = with_lists_for_ranges(with_numbers_for_rates(with_graph_forms(text), project.is_scheduled))
    text = with_writes_to_what_is_found(with_python_bounds(before, with_python_numbers(text)))
    text = without_needless_parentheses(before, without_idle_detachments(before, text))
    return with_short_names(before, with_optional_torch(with_ported_libraries(text), project.own))
