import mindspore


def einops_transform(tensor, pattern, reduction=None, **sizes):
    """rearrange, repeat and reduce of einops for MindSpore tensors: axes missing on the right are reduced, those
    missing on the left repeated."""
    if isinstance(tensor, (list, tuple)):
        tensor = mindspore.ops.stack(list(tensor))
    axes = einops_axes(tuple(tensor.shape), pattern, tuple(sizes.items()))
    apart, gone, places, single, repeated, together = axes
    tensor = tensor.reshape(apart)
    reduce = {"mean": "mean", "sum": "sum", "max": "amax", "min": "amin", "prod": "prod"}.get(reduction)
    for axis in gone:
        tensor = getattr(mindspore.ops, reduce)(tensor, axis)
    if places != tuple(range(len(places))):
        tensor = tensor.permute(places)
    if single != repeated:
        tensor = mindspore.ops.broadcast_to(tensor.reshape(single), repeated)
    return tensor.reshape(together)
