import mindspore


def torch_all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """PyTorch's distributed.all_gather_into_tensor: one tensor gets those of all processes, one after the other."""
    size = mindspore.mint.distributed.get_world_size(group)
    parts = [mindspore.ops.zeros_like(input_tensor) for _ in range(size)]
    if size > 1:
        mindspore.mint.distributed.all_gather(parts, input_tensor, group)
    else:
        parts = [input_tensor]
    output_tensor[()] = mindspore.ops.cat(parts).reshape(output_tensor.shape)
    return TorchFinishedWork() if async_op else None
