import bisect
import itertools


class TorchConcatDataset(TorchDataset):
    """Data sets one after the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __getitem__(self, index):
        index = range(len(self))[index]
        part = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[part][index - (self.cumulative_sizes[part - 1] if part else 0)]

    def __len__(self):
        return self.cumulative_sizes[-1]
