def torch_weight(layer):
    """The weight of a layer, by the name that its class has for it."""
    return next(
        getattr(layer, name) for name in ("weight", "gamma", "embedding_table") if hasattr(layer, name)
    )
