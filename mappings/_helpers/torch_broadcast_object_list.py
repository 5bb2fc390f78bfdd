import mindspore


def torch_broadcast_object_list(object_list, src=None, group=None, device=None, group_src=None):
    """PyTorch's distributed.broadcast_object_list: the list gets the objects of process `src`."""
    size = mindspore.mint.distributed.get_world_size(group)
    if size > 1:
        found = [None] * size
        mindspore.mint.distributed.all_gather_object(found, list(object_list), group)
        object_list[:] = found[src or group_src or 0]
