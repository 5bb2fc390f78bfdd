import mindspore


def torch_load_state_dict(module, state_dict, strict=True):
    """PyTorch's Module.load_state_dict, with the names of PyTorch or of MindSpore."""
    names = {theirs: own for own, theirs in torch_state_names(module).items()}
    counts = ".num_batches_tracked"  # of norms, which MindSpore's do not have
    state = {names.get(name, name): one for name, one in state_dict.items() if not name.endswith(counts)}
    return mindspore.nn.Cell.load_state_dict(module, state, strict)
