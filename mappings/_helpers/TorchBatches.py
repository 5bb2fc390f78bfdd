import itertools


class TorchBatches:
    """One pass through a TorchDataLoader; its length is that of the whole pass, as PyTorch's iterator has it."""

    def __init__(self, loader):
        self.loader = loader
        self.order = iter(loader.sampler if loader.batch_sampler is None else loader.batch_sampler)
        self.stream = None if hasattr(loader.dataset, "__getitem__") else iter(loader.dataset)

    def __iter__(self):
        return self

    def __next__(self):
        loader, index = self.loader, next(self.order)
        if loader.batch_sampler is None:
            samples = loader.dataset[torch_index(index)] if self.stream is None else next(self.stream)
        elif self.stream is None:
            samples = [loader.dataset[torch_index(one)] for one in index]
        else:
            samples = list(itertools.islice(self.stream, len(index)))
            if len(samples) < (len(index) if loader.drop_last else 1):
                raise StopIteration
        return loader.collate_fn(samples)

    def __len__(self):
        return len(self.loader)
