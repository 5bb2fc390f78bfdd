import mindspore


class TorchSequential(mindspore.nn.SequentialCell):
    """mindspore.nn.SequentialCell that also runs what is added to it later, as torch's does."""

    def construct(self, input):
        for cell in self._cells.values():
            input = cell(input)
        return input
