import types


class TorchEventMetadata(types.SimpleNamespace):
    """PyTorch's EventMetadata: what is known of a kernel, a copy or a collective operation; the rest is None."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None
