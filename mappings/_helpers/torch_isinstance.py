def torch_isinstance(value, kinds):
    """isinstance for a class that code holds in a variable: layers of one class of PyTorch are of several here."""
    if isinstance(kinds, tuple):
        return any(torch_isinstance(value, kind) for kind in kinds)

    def in_torch(kind):
        is_of_layers = kind.__module__.startswith("mindspore.") or kind.__qualname__.startswith("Torch")
        return torch_class_name(kind) if is_of_layers else kind

    if isinstance(value, kinds) or not isinstance(kinds, type):
        return isinstance(value, kinds)
    return in_torch(kinds) in [in_torch(base) for base in type(value).__mro__]
