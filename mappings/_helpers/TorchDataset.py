class TorchDataset:
    """The base class of data sets with an index, as torch.utils.data.Dataset."""

    def __getitem__(self, index):
        raise NotImplementedError("__getitem__")
