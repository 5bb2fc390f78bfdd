import math
import re

import mindspore


@mindspore.ops.constexpr
def einops_axes(shape, pattern, sizes):
    """What a pattern of einops does with a tensor of a shape: the shape with all axes apart, the axes to reduce from
    the last on, the order of the rest, the shapes before and after repeating, the shape at last. It is worked out
    once when a graph is compiled."""

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

    left, right = pattern.split("->")
    missing = len(shape) - len(axes_of(left, [])) if "..." in left else 0
    ellipsis = [f".{number}" for number in range(missing)]
    before, after = axes_of(left, ellipsis), axes_of(right, ellipsis)
    if len(before) != len(shape):
        raise ValueError(f"{pattern!r} speaks of {len(before)} axes, the tensor has {len(shape)}")
    length = {name: int(name.split("=")[0]) for group in before + after for name in group if "=" in name}
    length.update(sizes)
    for group, size in zip(before, shape):
        unknown = [name for name in group if name not in length]
        known = math.prod(length[name] for name in group if name in length)
        if len(unknown) > 1 or size % known or (not unknown and size != known):
            raise ValueError(f"an axis of {size} cannot be split as {pattern!r} says")
        length.update((name, size // known) for name in unknown)
    order = [name for group in before for name in group]
    wanted = [name for group in after for name in group]
    apart = tuple(length[name] for name in order)
    gone = tuple(place for place, name in reversed(list(enumerate(order))) if name not in wanted)
    order = [name for name in order if name in wanted]
    places = tuple(order.index(name) for name in wanted if name in order)
    single = tuple(length[name] if name in order else 1 for name in wanted)
    repeated = tuple(length[name] for name in wanted)
    together = tuple(math.prod(length[name] for name in group) for group in after)
    return apart, gone, places, single, repeated, together
