"""Attributes of a user's network that are called as MindSpore's Cell calls its own: `self.phase = "test"` is another
text after `set_train()`, without a word, and `self.cells = nn.ModuleList(...)` raises."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from mindport.rewrite.mindspore_modules import imports_torch
from mindport.rewrite.networks_of_text import networks_of
from mindport.rewrite.spans import end_of
from mindport.rewrite.text_edits import TextEdit, with_edits
from mindport.source.lines import LineIndex
from mindport.source.syntax import SYNTAX_ERRORS, parse_tree

# Of the names that Cell of MindSpore 2.10 has and torch's Module has not, those under which a text or a layer cannot be
# kept, or is another one after set_train(), a call or a step: tests/oracle/test_names_that_cells_take.py.
TAKEN = frozenset(
    (
        *("add_flags", "add_flags_recursive", "bprop_debug", "cast_inputs", "cell_init_args", "cells"),
        *("cells_and_names", "check_names", "check_names_and_refresh_name", "cls_name", "compile_and_run"),
        *("compile_cache", "compile_phase", "compiled", "create_time", "enable_backward_hook"),
        *("exist_names", "exist_objs", "extend_repr", "generate_scope", "get_flags"),
        *("get_func_graph_proto", "get_inputs", "get_mixed_precision_type", "get_parameters", "get_scope"),
        *("get_sub_cell", "global_cells", "has_bprop", "init_parameters_data", "insert_child_to_cell"),
        *("insert_param_to_cell", "is_top_cell", "jit_config_dict", "mixed_precision_type", "name_cells"),
        *("offload", "parallel_parameter_merge_net_dict", "parallel_parameter_name_list", "param_prefix"),
        *("parameter_layout_dict", "parameters_and_names", "parameters_broadcast_dict", "parameters_dict"),
        *("phase", "phase_cache", "pipeline_segment", "pipeline_stage", "recompute"),
        *("register_backward_pre_hook", "register_parameter_forward_hook", "register_saved_tensors_hooks"),
        *("remove_redundant_parameters", "requires_grad", "run_construct", "set_boost"),
        *("set_broadcast_flag", "set_comm_fusion", "set_data_parallel", "set_grad", "set_inputs"),
        *("set_jit_config", "set_mixed_precision_type", "shard", "to_float", "total_instance_count"),
        *("trainable_params", "untrainable_params", "update_cell_prefix", "update_cell_type"),
        "update_parameters_name",
    )
)


def with_own_attributes(before: str, text: str) -> str:
    """A text converted from `before` whose networks have other names for attributes that Cell has, too. The same text
    where there are none, where it does not parse, or where the conversion writes one of them itself."""
    if not imports_torch(before) or not any(f"self.{name}" in before for name in TAKEN):
        return text
    try:
        tree_before, tree = parse_tree(before), parse_tree(text)
    except SYNTAX_ERRORS:
        return text
    cells = {network.name for network in networks_of(tree_before)}  # they mean Cell's own
    networks = [network for network in networks_of(tree) if network.name not in cells]
    read, written = _of_self(tree_before), _of_self(tree)
    names = {name for name in _kept(networks) if name in TAKEN and read[name] == written[name]}
    lines = LineIndex(text)
    ends = {
        end_of(node, lines): node.attr
        for node in _attributes(tree, networks)
        if node.attr in names and f"{node.attr}_" not in written
    }
    return with_edits(text, (TextEdit(end, end, "_") for end in ends))


def _of_self(tree: ast.AST) -> Counter[str]:
    """How often each attribute of `self` is named."""
    return Counter(
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and _is_self(node.value)
    )


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _kept(networks: list[ast.ClassDef]) -> set[str]:
    """The attributes of `self` that hold something: assigned here, or read and never called, which a base class of
    another file assigns. Methods are none."""
    assigned: set[str] = set()
    read: set[str] = set()
    called: set[str] = set()
    for network in networks:
        for node in ast.walk(network):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    called.add(name)
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=context):
                    (assigned if isinstance(context, ast.Store) else read).add(name)
    methods = {
        node.name for network in networks for node in network.body if isinstance(node, ast.FunctionDef)
    }
    return (assigned | (read - called)) - methods


def _attributes(tree: ast.Module, networks: list[ast.ClassDef]) -> Iterator[ast.Attribute]:
    """The attributes of networks: of `self` in their classes, and of variables that one is assigned to."""
    for network in networks:
        for node in ast.walk(network):
            if isinstance(node, ast.Attribute) and _is_self(node.value):
                yield node
    classes = {network.name for network in networks}
    made: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] += 1
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if (
                called in classes
            ):
                made[name] += 1
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name)) if made[name] and made[name] == bound[name]:
                yield node
