import math
import re

import mindspore


def einops_transform(tensor, pattern, reduction=None, **sizes):
    """rearrange, repeat and reduce of einops for MindSpore tensors: axes missing on the right are reduced, those
    missing on the left repeated."""

    def axes_of(side, ellipsis):
        groups = []
        for token in re.findall(r"\([^)]*\)|\S+", side):
            names = []
            for name in token.strip("()").replace("...", " ... ").split():
                if name == "...":
                    names += ellipsis
                elif name.isdigit():
                    names += [] if name == "1" else [f"{name}={side}{len(groups)}.{len(names)}"]
                else:
                    names.append(name)
            groups += [[name] for name in names] if token == "..." else [names]
        return groups

    if isinstance(tensor, (list, tuple)):
        tensor = mindspore.ops.stack(list(tensor))
    left, right = pattern.split("->")
    missing = tensor.ndim - len(axes_of(left, [])) if "..." in left else 0
    ellipsis = [f".{number}" for number in range(missing)]
    before, after = axes_of(left, ellipsis), axes_of(right, ellipsis)
    if len(before) != tensor.ndim:
        raise ValueError(f"{pattern!r} speaks of {len(before)} axes, the tensor has {tensor.ndim}")
    length = {name: int(name.split("=")[0]) for group in before + after for name in group if "=" in name}
    length.update(sizes)
    for group, size in zip(before, tensor.shape):
        unknown = [name for name in group if name not in length]
        known = math.prod(length[name] for name in group if name in length)
        if len(unknown) > 1 or size % known or (not unknown and size != known):
            raise ValueError(f"an axis of {size} cannot be split as {pattern!r} says")
        length.update((name, size // known) for name in unknown)
    order = [name for group in before for name in group]
    wanted = [name for group in after for name in group]
    tensor = tensor.reshape(tuple(length[name] for name in order))
    gone = tuple(place for place, name in enumerate(order) if name not in wanted)
    if gone:
        reduce = {"mean": "mean", "sum": "sum", "max": "amax", "min": "amin", "prod": "prod"}[reduction]
        for place in reversed(gone):
            tensor = getattr(mindspore.ops, reduce)(tensor, place)
        order = [name for name in order if name in wanted]
    places = tuple(order.index(name) for name in wanted if name in order)
    tensor = tensor.permute(places) if places != tuple(range(len(places))) else tensor
    if len(places) < len(wanted):
        tensor = tensor.reshape(tuple(length[name] if name in order else 1 for name in wanted))
        tensor = mindspore.ops.broadcast_to(tensor, tuple(length[name] for name in wanted))
    return tensor.reshape(tuple(math.prod(length[name] for name in group) for group in after))
