import mindspore


class TorchSafeGlobals:
    """PyTorch's safe_globals: what a file that is loaded safely may hold besides tensors, for the time of a block."""

    allowed = []

    def __init__(self, safe_globals):
        self.given = list(safe_globals)

    def __enter__(self):
        self.before = list(TorchSafeGlobals.allowed)
        TorchSafeGlobals.allowed.extend(self.given)

    def __exit__(self, *error):
        TorchSafeGlobals.allowed[:] = self.before

    @staticmethod
    def find(module, name, find_class):
        """What a pickle means by a name: one that is allowed, or, where networks are, what MindSpore's layers are made
        of. None for any other."""
        named = [one if isinstance(one, tuple) else (one, None) for one in TorchSafeGlobals.allowed]
        for one, full_name in named:
            if f"{module}.{name}" in (full_name, f"{one.__module__}.{getattr(one, '__qualname__', name)}"):
                return one
        if not named:
            return None
        if module in ("__builtin__", "builtins") and name == "getattr":
            return TorchSafeGlobals.method
        if f"{module}.{name}" in ("functools.partial", "__builtin__.set", "builtins.set"):
            return find_class(module, name)
        if module.partition(".")[0] not in ("mindspore", TorchSafeGlobals.__module__):
            return None
        found = find_class(module, name)
        kinds = (mindspore.nn.Cell, mindspore.ops.Primitive, mindspore.Tensor, tuple)
        is_kind = isinstance(found, type) and issubclass(found, kinds)
        return (
            found
            if is_kind or module.startswith(("mindspore._c_expression.", "mindspore.ops.function."))
            else None
        )

    @staticmethod
    def method(layer, name):
        """A method of a layer, or of a class of layers, that one keeps."""
        kind = layer if isinstance(layer, type) else type(layer)
        if name.startswith("__") or not issubclass(kind, (mindspore.nn.Cell, mindspore.ops.Primitive)):
            raise ValueError(f"the file asks for {name} of what is no layer")
        return getattr(layer, name)

    torch_load.also = torch_read_file.also = find
