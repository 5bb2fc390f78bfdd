def torch_has_class(value, kinds):
    """Whether the class of a value is the one that code holds in a variable, or one of those, as `type(value) in kinds`
    tells in PyTorch: layers of one class there are of several here."""

    def in_torch(one):
        kind = one if isinstance(one, type) else type(one)
        is_of_layers = kind.__module__.startswith("mindspore.") or kind.__qualname__.startswith("Torch")
        return torch_class_name(one) if is_of_layers else kind

    several = kinds if isinstance(kinds, (list, tuple, set, frozenset, dict)) else (kinds,)
    return in_torch(value) in [in_torch(kind) for kind in several]
