import mindspore


def torch_broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """PyTorch's distributed.broadcast, in place: all processes get the tensor of process `src`."""
    if mindspore.mint.distributed.get_world_size(group) > 1:
        mindspore.mint.distributed.broadcast(tensor, src or group_src or 0, group)
    return TorchFinishedWork() if async_op else None
