import collections

import mindspore


def torch_state_dict(module, *, prefix="", keep_vars=False):
    """PyTorch's Module.state_dict: its names, as torch_named_parameters and torch_named_buffers give them."""
    names, state = torch_state_names(module), mindspore.nn.Cell.state_dict(module)
    for own, theirs in names.items():
        if theirs.endswith(("running_mean", "running_var")):
            torch_statistic(state[own])
    return collections.OrderedDict((prefix + theirs, state[own]) for own, theirs in names.items())
