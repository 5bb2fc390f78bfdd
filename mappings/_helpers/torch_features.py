def torch_features(layer, name):
    """A size of a layer by torch's name for it, `in_features` or `out_features`, whether it is a linear layer of
    MindSpore, which calls them channels, or one of the program's own."""
    return getattr(layer, name if hasattr(layer, name) else name.replace("features", "channels"))
