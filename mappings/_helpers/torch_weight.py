import mindspore


def torch_weight(layer):
    """The weight of a layer, by the name that its class has for it; None where it has none."""
    if not hasattr(layer, "weight"):
        layer = getattr(layer, "bn2d", layer)  # of MindSpore's BatchNorm3d
    names = (
        ("weight", "w") if isinstance(layer, mindspore.nn.PReLU) else ("weight", "gamma", "embedding_table")
    )
    return next((getattr(layer, name) for name in names if hasattr(layer, name)), None)
