import numpy


def torch_index(index):
    """An index as MindSpore's tensors take it: a number of Python in place of one of NumPy, which they refuse."""
    return int(index) if isinstance(index, numpy.integer) else index
