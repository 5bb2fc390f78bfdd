import collections
import itertools

import mindspore


class TorchPackedSequence(
    collections.namedtuple("PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])
):
    """PyTorch's PackedSequence: the values of all sequences step by step, how many sequences each step has, and the
    orders that sort the batch by length and back."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            data, batch_sizes = data
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = mindspore.ops.argsort(sorted_indices).astype(mindspore.int64)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    @property
    def is_cuda(self):
        return False

    def to(self, *args, **kwargs):
        """Casts the values to a dtype among the arguments; all is on one device."""
        dtypes = [
            one.dtype if isinstance(one, mindspore.Tensor) else one for one in (*args, *kwargs.values())
        ]
        dtypes = [one for one in dtypes if isinstance(one, mindspore.Type)]
        return self._replace(data=self.data.astype(dtypes[0])) if dtypes else self

    def cpu(self, *args, **kwargs):
        return self.to(*args, **kwargs)

    cuda = pin_memory = cpu

    def grid(self):
        """The length of each sequence, longest first, and for each step the places of its values in `data`; behind its
        end a sequence stays at its last value."""
        sizes = self.batch_sizes.tolist()
        lengths = [sum(size > row for size in sizes) for row in range(sizes[0])]
        starts = list(itertools.accumulate(sizes, initial=0))
        places = [
            [starts[min(step, length - 1)] + row for row, length in enumerate(lengths)]
            for step in range(len(sizes))
        ]
        return lengths, mindspore.Tensor(places, mindspore.int32)

    def through(self, layer, hx, batch_first):
        """The packed output and the last states of a recurrent layer that takes padded input, states and lengths."""
        lengths, places = self.grid()
        if batch_first:
            places = places.T
        if hx is not None:
            hx = self.ordered(hx, self.sorted_indices)
        input = mindspore.ops.gather(self.data, places, 0)
        output, states = layer(input, hx, mindspore.Tensor(lengths, mindspore.int32))
        output = torch_flat_steps(output, self.batch_sizes.tolist(), batch_first)
        return self._replace(data=output), self.ordered(states, self.unsorted_indices)

    def ordered(self, states, indices):
        if isinstance(states, (tuple, list)):
            return tuple(self.ordered(state, indices) for state in states)
        return states if indices is None else mindspore.ops.gather(states, indices, 1)
