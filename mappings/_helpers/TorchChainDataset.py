import itertools


class TorchChainDataset(TorchIterableDataset):
    """Data streams one after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(map(len, self.datasets))
