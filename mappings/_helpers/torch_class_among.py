def torch_class_among(value, kinds):
    """The one of several classes, such as the keys of a table, that a value has in PyTorch; its own where none is."""
    return next((kind for kind in kinds if torch_has_class(value, kind)), type(value))
