"""What MindSpore's Cell calls its own, so that no network can keep anything of another meaning under that name."""

from __future__ import annotations

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
