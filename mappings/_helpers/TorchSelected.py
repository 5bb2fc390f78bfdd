"""Parts of a tensor by numbers beside tensors, with ranges between them. PyTorch takes the numbers first; MindSpore
takes them for positions, as NumPy does, and then has the axis of the positions in front."""

import mindspore


class TorchSelected:
    """Parts of a tensor, of which numbers are taken before the rest of an index."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        numbers, others = self.apart(index)
        return self.input[numbers][others]

    def __setitem__(self, index, value):
        numbers, others = self.apart(index)
        part = self.input[numbers].copy()
        part[others] = value
        self.input[numbers] = part

    def apart(self, index):
        """The numbers of an index, with all of the other axes, and what is left of it."""
        axes = [self.axes_of(part) for part in index]
        numbers, others = [], []
        for part, count in zip(index, axes):
            if isinstance(part, int) and not isinstance(part, bool):
                numbers.append(part)
                continue
            numbers += [slice(None)] * (self.input.ndim - sum(axes) if part is Ellipsis else count)
            others.append(part)
        return tuple(numbers), tuple(others)

    @staticmethod
    def axes_of(part):
        if part is None or part is Ellipsis:
            return 0
        is_mask = isinstance(part, mindspore.Tensor) and part.dtype == mindspore.bool_
        return part.ndim if is_mask else 1
