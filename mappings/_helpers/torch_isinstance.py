def torch_isinstance(value, kinds):
    """isinstance for a class that code holds in a variable: layers of one class of PyTorch are of several here."""
    if isinstance(kinds, tuple):
        return any(torch_isinstance(value, kind) for kind in kinds)
    if isinstance(value, kinds) or not isinstance(kinds, type):
        return isinstance(value, kinds)

    def in_torch(kind):
        is_of_layers = kind.__module__.startswith("mindspore.") or kind.__qualname__.startswith("Torch")
        return torch_class_name(kind) if is_of_layers else ""

    asked, found = in_torch(kinds), [in_torch(base) for base in type(value).__mro__]
    if kinds.__qualname__ in (
        "TorchBatchNorm",
        "TorchInstanceNorm",
        "TorchConvNd",
    ):  # bases of what has 1 to 3 axes
        return any(name.startswith(asked.removesuffix("Nd")) for name in found)
    return bool(asked) and asked in found
