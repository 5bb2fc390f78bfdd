import mindspore


def torch_all_gather(tensor_list, tensor, group=None, async_op=False):
    """PyTorch's distributed.all_gather: fills the tensors of the list with those of all processes, its own where it is
    alone."""
    if mindspore.mint.distributed.get_world_size(group) > 1:
        mindspore.mint.distributed.all_gather(tensor_list, tensor, group)
    else:
        tensor_list[0][()] = tensor
    return TorchFinishedWork() if async_op else None
