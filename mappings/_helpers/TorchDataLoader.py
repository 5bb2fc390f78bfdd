import itertools


class TorchDataLoader:
    """Batches of a data set as torch.utils.data.DataLoader makes them, one after the other."""

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        **unused,
    ):
        is_single = batch_size is None and batch_sampler is None
        self.dataset = dataset
        self.batch_size = batch_size if batch_sampler is None else None
        self.shuffle = bool(shuffle)
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn or (TorchDefaultConvert if is_single else TorchDefaultCollate)
        self.drop_last = drop_last
        self.worker_init_fn = worker_init_fn
        self.random = None if generator is None else torch_random(generator)
        if shuffle and not len(dataset):
            raise ValueError("num_samples should be a positive integer value, but got num_samples=0")

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.dataset if self.sampler is None else self.sampler)
        if self.batch_size is None:
            return count
        return (count + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size

    def __iter__(self):
        # MindSpore gives wrong values now and then where two threads run its operations, so there are no workers.
        if self.num_workers and self.worker_init_fn is not None:
            self.worker_init_fn(0)
        return TorchBatches(self)

    def batches(self):
        """Lists of indices, or of samples where the data set has no indices."""
        if self.batch_sampler is not None:
            yield from self.batch_sampler
            return
        order = self.sampler
        if order is None and hasattr(self.dataset, "__getitem__"):
            order = range(len(self.dataset))
            if self.shuffle:
                order = list(order)
                (self.random or torch_random()).shuffle(order)
        left = iter(self.dataset if order is None else order)
        if self.batch_size is None:
            yield from left
            return
        while batch := list(itertools.islice(left, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def load(self, batch):
        """The batch for its indices; the sample where there are no batches."""
        indexed = hasattr(self.dataset, "__getitem__")
        if self.batch_size is None and self.batch_sampler is None:
            return self.collate_fn(self.dataset[batch] if indexed else batch)
        return self.collate_fn([self.dataset[index] for index in batch] if indexed else batch)
