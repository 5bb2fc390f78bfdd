class TorchStringTable(dict):
    """PyTorch's StringTable: readable names of functions, which here are readable already."""

    def __missing__(self, key):
        self[key] = key
        return key
