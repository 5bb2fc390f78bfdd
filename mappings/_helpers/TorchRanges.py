"""Parts of a tensor, to be written as torch does: where one of their ranges is empty, or no position was found, nothing
is written, which MindSpore refuses."""


class TorchRanges:
    """Parts of a tensor; nothing is written to one with no elements."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        return self.input[self.readable(index)]

    def __setitem__(self, index, value):
        if 0 not in self[index].shape:
            self.input[index] = value

    @staticmethod
    def readable(index):
        """The index with tensors without numbers for lists that choose nothing, which MindSpore does not read by."""
        parts = index if isinstance(index, tuple) else (index,)
        kept = tuple(torch_list_index(part) for part in parts)
        return kept if isinstance(index, tuple) else kept[0]
