def torch_reduce(tensor, dst=0, op="sum", group=None, async_op=False, group_dst=None):
    """PyTorch's distributed.reduce; what `dst` gets all processes get."""
    return torch_all_reduce(tensor, op, group, async_op)
