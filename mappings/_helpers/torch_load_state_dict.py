import mindspore


def torch_load_state_dict(module, state_dict, strict=True):
    """PyTorch's Module.load_state_dict, with the names and shapes of PyTorch or of MindSpore."""
    own = mindspore.nn.Cell.state_dict(module)
    names = {theirs: name for name, theirs in torch_state_names(module).items()}
    unused = {
        name: one for name, one in own.items() if name not in names.values()
    }  # see torch_unused_weights
    counts = ".num_batches_tracked"  # of norms, which MindSpore's do not have
    state = {names.get(name, name): one for name, one in state_dict.items() if not name.endswith(counts)}
    for name, one in state.items():  # convolutions over one axis have kernels with an axis more in MindSpore
        wanted = own[name].shape if name in own else ()
        if one.ndim == 3 and len(wanted) == 4 and wanted[2] == 1:
            state[name] = one.reshape(wanted)
    places = [(parameter, mindspore.Tensor(parameter)) for parameter in module.get_parameters()]
    loaded = mindspore.nn.Cell.load_state_dict(module, {**unused, **state}, strict)
    for parameter, place in places:
        torch_keep_place(parameter, place)
    return loaded
