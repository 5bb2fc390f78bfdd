import itertools


class TorchBatchSampler(TorchSampler):
    """The indices of a sampler in lists of one length."""

    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        left = iter(self.sampler)
        while batch := list(itertools.islice(left, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        rest = 0 if self.drop_last else self.batch_size - 1
        return (len(self.sampler) + rest) // self.batch_size
