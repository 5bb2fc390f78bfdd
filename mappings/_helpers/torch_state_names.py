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
        path, _, last = name.rpartition(".")
        layer = module
        for part in path.split(".") if path else ():
            layer = layer._cells[part]  # a layer may be in several places, of which cells_and_names gives one
        is_layer = any(kind.__module__.startswith("mindspore.nn.layer") for kind in type(layer).__mro__)
        if is_layer and path.endswith(".bn2d"):
            path = path.removesuffix(".bn2d")  # a BatchNorm3d keeps a BatchNorm2d inside
        found[name] = f"{path}.".lstrip(".") + (renamed.get(last, last) if is_layer else last)
    return found
