import mindspore


class TorchMasks:
    """A tensor to be read by masks and something besides, `x[mask, :]`: MindSpore takes a mask of several axes for the
    numbers of fewer, or raises. Here the axes that it is for are one, and so it is. One that selects nothing loses axes
    there; numbers do not."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        found, parts, axis = self.input, list(index), 0
        if not isinstance(found, mindspore.Tensor):
            return found[index]
        masked = [getattr(part, "dtype", None) == mindspore.bool_ for part in parts]
        axes = [part.ndim if is_mask else 1 for part, is_mask in zip(parts, masked)]
        axes = [0 if part is None or part is Ellipsis else number for part, number in zip(parts, axes)]
        for place, part in enumerate(parts):
            if part is Ellipsis:
                axis += found.ndim - sum(axes)
                continue
            if axes[place] > 1:
                shape = found.shape
                found = found.reshape((*shape[:axis], part.size, *shape[axis + axes[place] :]))
                parts[place], axes[place] = part.reshape(-1), 1
            axis += axes[place]
            if masked[place] and not parts[place].any():
                parts[place] = parts[place].nonzero().reshape(-1)
        return found[tuple(parts)]
