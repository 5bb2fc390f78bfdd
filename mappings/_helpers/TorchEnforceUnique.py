class TorchEnforceUnique:
    """PyTorch's EnforceUnique: raises when it sees a key again."""

    def __init__(self):
        self.seen = set()

    def see(self, *key):
        if key in self.seen:
            raise RuntimeError(f"duplicate key: {key}")
        self.seen.add(key)
