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
        if sampler is None and shuffle:
            sampler = TorchRandomSampler(dataset, generator=generator)
        elif sampler is None:
            is_stream = not hasattr(dataset, "__getitem__")
            sampler = itertools.repeat(None) if is_stream else TorchSequentialSampler(dataset)
        self.dataset = dataset
        self.batch_size = batch_size if batch_sampler is None else None
        if self.batch_size is not None:
            batch_sampler = TorchBatchSampler(sampler, batch_size, drop_last)
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn or (
            TorchDefaultConvert if batch_sampler is None else TorchDefaultCollate
        )
        self.pin_memory = pin_memory
        self.drop_last = drop_last
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.generator = generator

    def __len__(self):
        order = self.sampler if self.batch_sampler is None else self.batch_sampler
        if not hasattr(self.dataset, "__getitem__"):
            whole = self.batch_size is None
            order = (
                self.dataset if whole else TorchBatchSampler(self.dataset, self.batch_size, self.drop_last)
            )
        return len(order)

    def __iter__(self):
        # MindSpore gives wrong values now and then where two threads run its operations, so there are no workers.
        return TorchBatches(self)
