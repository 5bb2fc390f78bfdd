import mindspore


class TorchReplicationPad1d(mindspore.nn.ReplicationPad1d):
    """PyTorch's ReplicationPad1d: it takes lists, too."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else padding)


TorchReplicationPad1d.__name__ = "ReplicationPad1d"  # code may ask for it
