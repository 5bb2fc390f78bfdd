import mindspore


def torch_all_gather_object(object_list, obj, group=None):
    """PyTorch's distributed.all_gather_object: fills the list with the objects of all processes."""
    if mindspore.mint.distributed.get_world_size(group) > 1:
        mindspore.mint.distributed.all_gather_object(object_list, obj, group)
    else:
        object_list[0] = obj
