class TorchGroup:
    """PyTorch's torch.distributed.group: the group of all processes, which MindSpore writes None."""

    WORLD = None
