"""Ranges of several axes of a tensor, to be written as torch does: where one of them is empty nothing is written, which
MindSpore refuses."""


class TorchRanges:
    """Ranges of the axes of a tensor; nothing is written to one with no elements."""

    def __init__(self, input):
        self.input = input

    def __getitem__(self, index):
        return self.input[index]

    def __setitem__(self, index, value):
        if 0 not in self.input[index].shape:
            self.input[index] = value
