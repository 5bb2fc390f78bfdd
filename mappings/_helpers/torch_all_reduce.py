import mindspore


def torch_all_reduce(tensor, op="sum", group=None, async_op=False):
    """PyTorch's distributed.all_reduce, in place: 'sum', 'avg', 'max', 'min' or 'prod' over the processes; a process
    alone keeps its tensor."""
    size = mindspore.mint.distributed.get_world_size(group)
    if size > 1:
        mindspore.mint.distributed.all_reduce(tensor, "sum" if op == "avg" else op, group)
        if op == "avg":
            tensor[()] = tensor / size
    return TorchFinishedWork() if async_op else None
