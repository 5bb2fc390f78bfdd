import mindspore


class TorchReplicationPad3d(mindspore.nn.ReplicationPad3d):
    """PyTorch's ReplicationPad3d: it takes lists, too."""

    def __init__(self, padding):
        super().__init__(tuple(padding) if hasattr(padding, "__len__") else padding)


TorchReplicationPad3d.__name__ = "ReplicationPad3d"  # code may ask for it
