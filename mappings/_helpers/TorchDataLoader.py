import collections.abc
import concurrent.futures
import itertools
import random

import mindspore


class TorchDataLoader:
    """Batches of a data set as torch.utils.data.DataLoader makes them, with workers that are threads."""

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
        self.dataset = dataset
        self.batch_size = batch_size if batch_sampler is None else None
        self.shuffle = bool(shuffle)
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn or self.collate
        self.drop_last = drop_last

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count = len(self.dataset if self.sampler is None else self.sampler)
        if self.batch_size is None:
            return count
        return (count + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size

    def __iter__(self):
        with concurrent.futures.ThreadPoolExecutor(max(self.num_workers, 1)) as pool:
            waiting = collections.deque()
            for batch in self.batches():
                waiting.append(pool.submit(self.load, batch) if self.num_workers else batch)
                if len(waiting) > 2 * self.num_workers:
                    first = waiting.popleft()
                    yield first.result() if self.num_workers else self.load(first)
            for rest in waiting:
                yield rest.result()

    def batches(self):
        """Lists of indices, or of samples where the data set has no indices."""
        if self.batch_sampler is not None:
            yield from self.batch_sampler
            return
        order = self.sampler
        if order is None and hasattr(self.dataset, "__getitem__"):
            order = list(range(len(self.dataset)))
            if self.shuffle:
                random.shuffle(order)
        left = iter(self.dataset if order is None else order)
        if self.batch_size is None:
            yield from left
            return
        while batch := list(itertools.islice(left, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def load(self, batch):
        indexed = hasattr(self.dataset, "__getitem__")
        if self.batch_size is None and self.batch_sampler is None:
            return self.dataset[batch] if indexed else batch
        return self.collate_fn([self.dataset[index] for index in batch] if indexed else batch)

    def collate(self, samples):
        """One sample with a new first axis: tensors of tensors, arrays and numbers, in the same containers."""
        first = samples[0]
        if isinstance(first, (str, bytes)):
            return samples
        if isinstance(first, collections.abc.Mapping):
            return {key: self.collate([sample[key] for sample in samples]) for key in first}
        if isinstance(first, tuple) and hasattr(first, "_fields"):
            return type(first)(*(self.collate(column) for column in zip(*samples, strict=True)))
        if isinstance(first, (tuple, list)):
            return [self.collate(column) for column in zip(*samples, strict=True)]
        if isinstance(first, mindspore.Tensor):
            return mindspore.ops.stack(samples)
        if hasattr(first, "dtype"):
            return mindspore.ops.stack([mindspore.Tensor(sample) for sample in samples])
        return mindspore.Tensor(samples, mindspore.float64 if isinstance(first, float) else None)
