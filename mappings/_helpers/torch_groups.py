import mindspore


def torch_groups(layer):
    """The groups of a convolution, which MindSpore's keep as `group`, or of a layer of the program's own."""
    axes = (1, 2, 3)
    layers = [getattr(mindspore.nn, f"Conv{n}d{kind}") for n in axes for kind in ("", "Transpose")]
    return layer.group if isinstance(layer, tuple(layers)) else layer.groups
