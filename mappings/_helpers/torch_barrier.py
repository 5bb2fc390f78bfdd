import mindspore


def torch_barrier(group=None, async_op=False, device_ids=None, timeout=None):
    """PyTorch's distributed.barrier: waits until all processes are here."""
    if mindspore.mint.distributed.get_world_size(group) > 1:
        mindspore.mint.distributed.barrier(group)
    return TorchFinishedWork() if async_op else None
