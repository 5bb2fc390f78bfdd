class TorchBatches:
    """One pass through a TorchDataLoader; its length is that of the whole pass, as PyTorch's iterator has it."""

    def __init__(self, loader):
        self.loader = loader
        self.batches = map(loader.load, loader.batches())

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.batches)

    def __len__(self):
        return len(self.loader)
