def torch_bias(layer):
    """The bias of a layer, by the name that its class has for it; None where it has none."""
    if not hasattr(layer, "bias"):
        layer = getattr(layer, "bn2d", layer)  # of MindSpore's BatchNorm3d
    return next((getattr(layer, name) for name in ("bias", "beta") if hasattr(layer, name)), None)
