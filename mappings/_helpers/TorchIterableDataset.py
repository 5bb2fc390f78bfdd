class TorchIterableDataset:
    """The base class of data streams, as torch.utils.data.IterableDataset."""

    def __iter__(self):
        raise NotImplementedError("__iter__")
