"""Parts of a tensor, to be written as torch does: where one of their ranges is empty, or no position was found, nothing
is written, which MindSpore refuses."""


class TorchRanges:
    """Parts of a tensor; nothing is written to one with no elements."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        return self.input[index]

    def __setitem__(self, index, value):
        if 0 not in self.input[index].shape:
            self.input[index] = value
