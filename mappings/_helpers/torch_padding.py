import mindspore


def torch_padding(layer):
    """The padding of a convolution as PyTorch keeps it, one number for each axis or the word; MindSpore's keep what
    they were given, for one axis as for two. That of a pool is what it was given, of any other layer what it has."""
    layers = mindspore.nn
    pools = tuple(getattr(layers, f"{kind}Pool{n}d") for kind in ("Avg", "Max") for n in (1, 2, 3))
    if isinstance(layer, pools):
        if layer.pad_mode.lower() == "valid":
            return 0
        sides = layer.padding[1:] if isinstance(layer.padding, tuple) else (layer.padding,)
        return sides[0] if len(set(sides)) == 1 else sides
    kinds = [
        (axes, (getattr(layers, f"Conv{axes}d"), getattr(layers, f"Conv{axes}dTranspose")))
        for axes in (1, 2, 3)
    ]
    axes = next((axes for axes, kind in kinds if isinstance(layer, kind)), 0)
    padding = layer.padding
    if not axes or isinstance(padding, str):
        return padding
    if layer.pad_mode == "same":
        return "same"
    if isinstance(padding, int):
        return (padding,) * axes
    return tuple(padding) if len(padding) == axes else tuple(padding[-2 * axes :: 2])
