import mindspore


def torch_class_name(layer):
    """The name that the class of a layer, or a class itself, has in PyTorch."""
    names = {
        "Dense": "Linear",
        "SequentialCell": "Sequential",
        "CellList": "ModuleList",
        "CellDict": "ModuleDict",
    }
    names |= {f"Conv{n}dTranspose": f"ConvTranspose{n}d" for n in (1, 2, 3)}
    names |= {"SeLU": "SELU", "HShrink": "Hardshrink", "SoftShrink": "Softshrink"}
    names |= {"HSwish": "Hardswish", "HSigmoid": "Hardsigmoid", "LRN": "LocalResponseNorm"}
    kind = layer if hasattr(layer, "__name__") else type(layer)
    if kind is mindspore.nn.GroupNorm:  # that of several channels is mindspore.mint.nn.GroupNorm
        return "InstanceNorm2d"
    name = kind.__name__
    return names.get(name, name) if kind.__module__.startswith("mindspore.") else name.removeprefix("Torch")
