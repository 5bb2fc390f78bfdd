class TorchSampler:
    """The base class of orders of indices, as torch.utils.data.Sampler."""

    def __init__(self, data_source=None):
        pass

    def __iter__(self):
        raise NotImplementedError("__iter__")
