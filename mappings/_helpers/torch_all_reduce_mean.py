import mindspore


def torch_all_reduce_mean(tensor, group=None):
    """PyTorch's distributed.all_reduce of op=ReduceOp.AVG: writes the average over the processes into the tensor."""
    mindspore.mint.distributed.all_reduce(tensor, "sum", group)
    tensor[()] = tensor / mindspore.mint.distributed.get_world_size(group)
