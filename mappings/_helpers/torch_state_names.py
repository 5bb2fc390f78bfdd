import mindspore


def torch_state_names(module):
    """The names in PyTorch's state_dict of a module, by those in MindSpore's."""
    renamed = {
        "gamma": "weight",
        "beta": "bias",
        "moving_mean": "running_mean",
        "moving_variance": "running_var",
    }
    renamed |= {"embedding_table": "weight", "w": "weight"}
    unused = torch_unused_weights(module)
    found = {}
    for name, one in mindspore.nn.Cell.state_dict(module, keep_vars=True).items():
        if id(one) in unused:
            continue
        *parts, last = name.split(".")
        layer, path = module, ""
        for part in parts:
            path = torch_path(layer, path, part)
            layer = layer._cells[part]  # a layer may be in several places, of which cells_and_names gives one
        is_layer = any(kind.__module__.startswith("mindspore.nn.layer") for kind in type(layer).__mro__)
        found[name] = path, renamed.get(last, last) if is_layer else last
    # PyTorch has the buffers of a layer behind its parameters.
    layers = {path: place for place, path in enumerate(dict.fromkeys(path for path, _ in found.values()))}
    statistics = ("running_mean", "running_var")
    order = sorted(found.items(), key=lambda pair: (layers[pair[1][0]], pair[1][1] in statistics))
    return {name: path + theirs for name, (path, theirs) in order}
